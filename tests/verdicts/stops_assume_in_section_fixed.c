// check --errors assertion: proved
/* A false assumption in an atomic section ends the thread, not the past of the thread. */
#include <assert.h>
#include <pthread.h>
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int seen, hidden;

void *stop(void *arg) {
    seen = 1;
    __VERIFIER_atomic_begin();
    hidden = 1;
    __VERIFIER_assume(0);
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, stop, 0);
    assert(!hidden);
    return 0;
}
