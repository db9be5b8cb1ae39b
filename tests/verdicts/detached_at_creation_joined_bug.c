// check: bug
// check --errors thread: bug
/* A thread that is created detached cannot be joined. */
#include <pthread.h>

void *work(void *arg) {
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_attr_t how;
    pthread_attr_init(&how);
    pthread_attr_setdetachstate(&how, PTHREAD_CREATE_DETACHED);
    pthread_create(&id, &how, work, 0);
    pthread_join(id, 0);
    return 0;
}
