// expect: deadlock
/* A function that locks is called with the lock held; nobody else uses the lock. */
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;

void add(void) {
    pthread_mutex_lock(&m);
    n++;
    pthread_mutex_unlock(&m);
}

int main(void) {
    pthread_mutex_lock(&m);
    add();
    return 0;
}
