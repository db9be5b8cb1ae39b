// check --errors no-race: proved
// check --unwind 1 --rounds 2: unknown
/* The two branches begin the same section: formulas do not follow that, the states do. */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x, c;

void *work(void *arg) {
    x = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    if (x) __VERIFIER_atomic_begin();
    else __VERIFIER_atomic_begin();
    c = x;
    assert(c == x);
    __VERIFIER_atomic_end();
    return 0;
}
