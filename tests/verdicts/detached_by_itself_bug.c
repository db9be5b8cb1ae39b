// check: bug
// check --errors thread: bug
/* A thread detaches itself, perhaps before main joins it. */
#include <pthread.h>

void *work(void *arg) {
    pthread_detach(pthread_self());
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, work, 0);
    pthread_join(id, 0);
    return 0;
}
