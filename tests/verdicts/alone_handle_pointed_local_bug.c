// check --errors assertion: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int x;
void *one(void *p) { x = 1; return 0; }
void *two(void *p) { return 0; }
int main(void) {
    pthread_t a, b, c, *q = __VERIFIER_nondet_int() ? &a : &c;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    c = b;
    *q = b;
    pthread_join(a, 0);
    int r = x;
    assert(r == x);
    return 0;
}
