// expect: nothing
/* The thread does not get to the lock. */
#include <pthread.h>
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assume(int);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *work(void *arg) {
    _Bool locks = __VERIFIER_nondet_bool();
    __VERIFIER_assume(locks); return 0;
    pthread_mutex_lock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
