// check --errors assertion: bug
/* exit() in a joined thread leaves nobody who could go on; pthread_exit() does. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *leave(void *arg) {
    pthread_exit(0);
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, leave, 0);
    pthread_join(id, 0);
    assert(0);
    return 0;
}
