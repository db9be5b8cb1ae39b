// check --errors assertion: no-bug|unknown
// says: looks for that
// check: bug
/* pthread_create() has nowhere to write the id of the thread. */
#include <assert.h>
#include <pthread.h>

int ready;

void *work(void *arg) {
    assert(ready == 1);
    return 0;
}

int main(void) {
    pthread_t id;
    ready = 1;
    pthread_create(0, 0, work, 0);
    return 0;
}
