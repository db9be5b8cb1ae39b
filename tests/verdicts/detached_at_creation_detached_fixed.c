// check --errors thread: proved
/* A thread that is created detached cannot be detached once more. */
#include <pthread.h>

void *work(void *arg) {
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_attr_t how;
    pthread_attr_init(&how);
    pthread_attr_setdetachstate(&how, PTHREAD_CREATE_DETACHED);
    pthread_create(&id, 0, work, 0);
    pthread_detach(id);
    return 0;
}
