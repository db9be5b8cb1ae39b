// check: proved
/* Initialized before anybody uses it. */
#include <pthread.h>
#include <semaphore.h>

sem_t done;

void *work(void *arg) {
    sem_post(&done);
    return 0;
}

int main(void) {
    pthread_t thread;
    sem_init(&done, 0, 0);
    pthread_create(&thread, 0, work, 0);
    sem_wait(&done);
    pthread_join(thread, 0);
    return 0;
}
