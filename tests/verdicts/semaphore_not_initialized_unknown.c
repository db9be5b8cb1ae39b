// check: no-bug
// says: what sem_post() uses in
/* Nobody initialized the semaphore: POSIX does not say what happens, so nothing is proved. */
#include <pthread.h>
#include <semaphore.h>

sem_t done;

void *work(void *arg) {
    sem_post(&done);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    sem_wait(&done);
    pthread_join(thread, 0);
    return 0;
}
