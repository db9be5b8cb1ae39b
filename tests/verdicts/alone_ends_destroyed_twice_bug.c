// check --errors assertion --schema lazy --rounds 3: bug
// check --errors assertion --schema lr --rounds 3: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t(void *a) { pthread_mutex_destroy(&m); x = 1; pthread_mutex_destroy(&m); x = 0; return 0; }
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    assert(x == 0);
    return 0;
}
