/* The flag is tested without the lock: the signal may come after the test and before the wait. */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
int done;

void *compute(void *arg) {
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, compute, 0);
    if (!done) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&ready, &lock);
        pthread_mutex_unlock(&lock);
    }
    pthread_join(t, 0);
    return 0;
}
