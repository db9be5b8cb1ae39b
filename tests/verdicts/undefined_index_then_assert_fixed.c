// check --errors assertion: proved
// check: proved
/* An index beyond the end overwrites what comes after it, so that nothing is proved. */
#include <assert.h>
#include <pthread.h>

int table[2], next;

void *fill(void *arg) {
    for (int i = 0; i < 2; i++)
        table[i] = 1;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, fill, 0);
    assert(next == 0);
    pthread_join(id, 0);
    return 0;
}
