// expect: nothing
/* An undetermined pointer may be null or not, and an undetermined _Bool is 0 or 1. */
#include <assert.h>
#include <pthread.h>
void *__VERIFIER_nondet_pointer(void);
_Bool __VERIFIER_nondet_bool(void);
int x;
void *choose(void *arg) {
    _Bool some = __VERIFIER_nondet_pointer() != 0, other = __VERIFIER_nondet_bool();
    x = some + other;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, choose, 0);
    pthread_join(t, 0);
    assert(x < 3);
    return 0;
}
