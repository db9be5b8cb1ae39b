// check --errors deadlock
/* stop() waits for the worker, and holds the lock that the worker needs to see that it should end. */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_t worker;
int stopping;

void *work(void *arg) {
    pthread_mutex_lock(&lock);
    int ends = stopping;
    pthread_mutex_unlock(&lock);
    return ends ? arg : 0;
}

void stop(void) {
    pthread_mutex_lock(&lock);
    stopping = 1;
    pthread_join(worker, 0);
    pthread_mutex_unlock(&lock);
}

int main(void) {
    pthread_create(&worker, 0, work, 0);
    stop();
    return 0;
}
