// check --errors assertion: proved
// check --errors no-race: proved
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
    done = 0;
    pthread_join(id, 0);
    assert(done == 1 || done == 0);
    return 0;
}
