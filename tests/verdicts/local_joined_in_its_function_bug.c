// check: bug
// check --errors assertion: bug
/* A function waits for the thread that uses its local: nothing outlives anything. */
#include <assert.h>
#include <pthread.h>

void *twice(void *arg) {
    *(int *)arg *= 2;
    return 0;
}

int compute(int input) {
    pthread_t id;
    pthread_create(&id, 0, twice, &input);
    pthread_join(id, 0);
    return input;
}

int main(void) {
    assert(compute(4) == 4);
    return 0;
}
