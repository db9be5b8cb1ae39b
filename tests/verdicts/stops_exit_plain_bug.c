// check --errors assertion: bug
/* Main writes and exits; the thread may look in between. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int done;

void *look(void *arg) {
    assert(done == 0);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, look, 0);
    done = 1, exit(0);
}
