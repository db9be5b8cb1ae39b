// check: proved
// check --errors memory: proved
/* A thread is started with a routine that is null. */
#include <pthread.h>

void *work(void *arg) {
    return 0;
}

void *(*routine)(void *) = work;

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, routine, 0);
    pthread_join(id, 0);
    return 0;
}
