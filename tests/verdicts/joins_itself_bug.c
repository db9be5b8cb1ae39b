// check --errors assertion: bug
// check --errors thread: proved|no-bug
/* Joining oneself is an error that is returned, or waits for good; it is not undefined. */
#include <assert.h>
#include <pthread.h>

int done;

void *work(void *arg) {
    if (pthread_join(pthread_self(), 0) != 0)
        done = 2;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, work, 0);
    assert(done != 2);
    pthread_join(id, 0);
    return 0;
}
