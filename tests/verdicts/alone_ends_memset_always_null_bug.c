// check --errors assertion --schema lazy --rounds 3: bug
// check --errors assertion --schema lr --rounds 3: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
int x;
void *t(void *a) { char own[4]; char *p = own; if (!x) p = 0; x = 1; memset(p, 0, 4); x = 0; return 0; }
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    assert(x == 0);
    return 0;
}
