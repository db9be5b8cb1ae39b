// check --errors assertion: proved
/* Main stops in a section right after it started a thread, which goes on alone. */
#include <assert.h>
#include <pthread.h>
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int count;

void *alone(void *arg) {
    count++;
    assert(count == 1);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, alone, 0);
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(0);
    __VERIFIER_atomic_end();
    return 0;
}
