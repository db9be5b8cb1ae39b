// expect: wrong use of a lock
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *p) { pthread_mutex_unlock(&m); return 0; }
int main(void) {
    pthread_t a;
    pthread_mutex_lock(&m);
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    return 0;
}
