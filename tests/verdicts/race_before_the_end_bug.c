// check --errors race,lock,overflow: bug
/* After its write, main has nothing to do that others see, and ends the process. */
#include <pthread.h>
volatile int v;
int count, zero, *p = &zero;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int add(int a, int b) { if (a > 1) return 1; return a + b; }
void *f(void *arg) {
    int l = add(*p, v);
    pthread_mutex_lock(&m);
    count++;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_mutex_t own;
    pthread_mutex_init(&own, 0);
    pthread_mutex_lock(&own);
    v = *p;
    pthread_mutex_unlock(&own);
    pthread_mutex_destroy(&own);
    return 0;
}
