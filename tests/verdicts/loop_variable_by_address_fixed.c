// check: proved
// check --errors assertion: proved
/* Every thread gets the address of the loop's variable, which moves on and dies. */
#include <assert.h>
#include <pthread.h>

int numbers[2] = {0, 1}, started[2];

void *start(void *number) {
    started[*(int *)number & 1] = 1;
    return 0;
}

int main(void) {
    pthread_t ids[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&ids[i], 0, start, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(ids[i], 0);
    assert(started[0] && started[1]);
    return 0;
}
