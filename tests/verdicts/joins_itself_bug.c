// check: bug
// check --errors thread: bug
// check --errors assertion: no-bug
/* Joining oneself is undefined (POSIX, pthread_join). */
#include <assert.h>
#include <pthread.h>

int done;
pthread_t id;

void *work(void *arg) {
    if (pthread_join(pthread_self(), 0) != 0)
        done = 2;
    return 0;
}

int main(void) {
    pthread_create(&id, 0, work, 0);
    assert(done != 2);
    return 0;
}
