// expect: wrong use of a lock
/* The lock may be gone when the thread comes to it. */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *use(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, use, 0);
    if (x == 0) pthread_join(t, 0);
    pthread_mutex_destroy(&m);
    return 0;
}
