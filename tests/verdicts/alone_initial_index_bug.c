// check --errors assertion: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int a[2];
void *t(void *p) { assert(a[0] == 5); return 0; }
int main(void) {
    pthread_t h;
    a[__VERIFIER_nondet_int() & 1] = 5;
    pthread_create(&h, 0, t, 0);
    pthread_join(h, 0);
    return 0;
}
