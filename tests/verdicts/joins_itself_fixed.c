// check: proved|no-bug
// check --errors thread: proved|no-bug
// check --errors assertion: no-bug|proved
/* Joining another thread, once, is what joining is for. */
#include <assert.h>
#include <pthread.h>

int done;
pthread_t id;

void *work(void *arg) {
    return 0;
}

int main(void) {
    pthread_create(&id, 0, work, 0);
    if (pthread_join(id, 0) != 0)
        done = 2;
    assert(done != 2);
    return 0;
}
