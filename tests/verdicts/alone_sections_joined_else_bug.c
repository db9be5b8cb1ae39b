// check --errors assertion --schema lazy --rounds 2: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int x, y, c;
void *t(void *p) {
    y = 1;
    if (c) __VERIFIER_atomic_begin(); else __VERIFIER_atomic_begin();
    x = 1;
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t h;
    c = __VERIFIER_nondet_int(); if (c) return 0;
    pthread_create(&h, 0, t, 0);
    __VERIFIER_atomic_begin();
    assert(x == y);
    __VERIFIER_atomic_end();
    return 0;
}
