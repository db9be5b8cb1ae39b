// check --errors assertion: proved
/* A thread wants a lock in the middle of an atomic section, and never gets it. */
#include <assert.h>
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int outside, after;

void *work(void *arg) {
    outside = 1;
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&m);
    after = 1;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_mutex_lock(&m);
    pthread_create(&id, 0, work, 0);
    assert(!after);
    return 0;
}
