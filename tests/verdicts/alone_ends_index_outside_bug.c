// check --errors assertion --schema lazy --rounds 3: bug
// check --errors assertion --schema lr --rounds 3: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
int x;
void *t(void *a) { int own[2]; int i = x + 5; x = 1; own[i] = 1; x = 0; return (void *)(long)own[0]; }
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    assert(x == 0);
    return 0;
}
