// check --errors overflow --rounds 3: bug
// check --errors overflow: bug
// check: proved
/* Arithmetic of atomic. */
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
int __VERIFIER_nondet_int(void);

void *compute(void *arg) {
    _Atomic int x = INT_MAX; int y = INT_MAX;
    y = y + 1;
    return 0;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, compute, 0);
    pthread_join(other, 0);
    return 0;
}
