// check --errors assertion: bug
/* A local decides whether a thread goes on; if not, its first write is still there. */
#include <assert.h>
#include <pthread.h>
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int shared;

void *stop(void *arg) {
    int steps = 0;
    shared = 3;
    __VERIFIER_atomic_begin();
    steps += 2;
    __VERIFIER_assume(steps > 2);
    shared = 4;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, stop, 0);
    assert(shared != 3);
    return 0;
}
