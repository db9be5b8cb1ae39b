// expect: assertion failed
/* What is assumed after a failed assertion does not undo it. */
#include <pthread.h>
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int x;
void *set(void *arg) {
    x = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    int seen = x;
    __VERIFIER_assert(seen == 0);
    __VERIFIER_assume(seen == 0);
    return 0;
}
