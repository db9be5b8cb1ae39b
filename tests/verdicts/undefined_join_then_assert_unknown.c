// check --errors assertion: no-bug|unknown
// says: (--errors thread looks for that)
// check: bug
/* After joining a detached thread nothing is known. */
#include <assert.h>
#include <pthread.h>

int done;

void *work(void *arg) {
    done = 1;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, work, 0);
    pthread_detach(id);
    pthread_join(id, 0);
    assert(done == 1 || done == 0);
    return 0;
}
