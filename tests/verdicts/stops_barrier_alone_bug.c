// check --errors assertion: bug
/* Only one of the two that a barrier waits for ever comes. */
#include <assert.h>
#include <pthread.h>

pthread_barrier_t gate;
int arrived, passed;

void *runner(void *arg) {
    arrived = 1;
    pthread_barrier_wait(&gate);
    passed = 1;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_barrier_init(&gate, 0, 2);
    pthread_create(&id, 0, runner, 0);
    assert(!arrived);
    return 0;
}
