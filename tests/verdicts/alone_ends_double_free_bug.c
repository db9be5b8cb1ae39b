// check --errors assertion --schema lazy --rounds 3: bug
// check --errors assertion --schema lr --rounds 3: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
int x;
void *t(void *a) { int *p = malloc(4); free(p); x = 1; free(p); x = 0; return 0; }
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    assert(x == 0);
    return 0;
}
