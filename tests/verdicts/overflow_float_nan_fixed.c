// check --errors overflow --rounds 3: proved|no-bug
// check --errors overflow: proved
/* Arithmetic of float nan. */
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
int __VERIFIER_nondet_int(void);

void *compute(void *arg) {
    double x = 0;
    int y = (int)(x / 1.0);
    return 0;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, compute, 0);
    pthread_join(other, 0);
    return 0;
}
