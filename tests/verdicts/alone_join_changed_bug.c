// check --errors assertion: bug
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
int x;
void *t(void *a) { pthread_mutex_lock(&own); if (__VERIFIER_nondet_int()) x = 1; pthread_mutex_lock(&own); return 0; }
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    assert(x == 0);
    return 0;
}
