// check --errors deadlock: bug
// check --errors deadlock --rounds 3: bug
/* The holder of the lock has ended, and main goes on for ever. */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
volatile int ticks;

void *keep(void *arg) {
    pthread_mutex_lock(&lock);
    return 0;
}

void *want(void *arg) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, keep, 0);
    pthread_create(&two, 0, want, 0);
    for (;;)
        ticks = !ticks;
}
