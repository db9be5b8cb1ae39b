// check --errors assertion: bug
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int x, y;
void *t(void *a) { if (__VERIFIER_nondet_int()) y = 1; x = 1; return 0; }
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    __VERIFIER_atomic_begin();
    assert(!(y == 1 && x == 0));
    __VERIFIER_atomic_end();
    return 0;
}
