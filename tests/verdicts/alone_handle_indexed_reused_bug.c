// check --errors assertion: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int x;
void *one(void *p) { x = 1; return 0; }
void *two(void *p) { return 0; }
int main(void) {
    pthread_t a[2];
    int i = __VERIFIER_nondet_int() & 1;
    pthread_create(&a[0], 0, one, 0);
    pthread_create(&a[i], 0, two, 0);
    pthread_join(a[0], 0);
    int r = x;
    assert(r == x);
    return 0;
}
