// check --errors lock: bug
/* A lock that was only tried is not to be given back. */
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *work(void *arg) {
    pthread_mutex_trylock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, work, 0);
    work(0);
    pthread_join(id, 0);
    return 0;
}
