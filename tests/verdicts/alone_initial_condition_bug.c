// check --errors assertion: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int x;
void *t(void *p) { assert(x == 5); return 0; }
int main(void) {
    pthread_t h;
    if (__VERIFIER_nondet_int()) x = 5;
    pthread_create(&h, 0, t, 0);
    pthread_join(h, 0);
    return 0;
}
