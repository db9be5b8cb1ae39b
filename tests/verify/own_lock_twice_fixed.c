// expect: nothing
/* A function that locks is called without the lock held. */
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;

void add(void) {
    pthread_mutex_lock(&m);
    n++;
    pthread_mutex_unlock(&m);
}

int main(void) {
    n = 1;
    add();
    return 0;
}
