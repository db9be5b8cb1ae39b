/* A lock that its owner may lock again must be unlocked as often as it was locked. */
#define _GNU_SOURCE
#include <pthread.h>

pthread_mutex_t lock;
int total;

void add(int amount) {
    pthread_mutex_lock(&lock);
    total += amount;
    if (total > 10) return; /* leaves without unlocking */
    pthread_mutex_unlock(&lock);
}

void *worker(void *arg) {
    pthread_mutex_lock(&lock);
    add(11);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attr);
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    add(1);
    pthread_join(t, 0);
    return 0;
}
