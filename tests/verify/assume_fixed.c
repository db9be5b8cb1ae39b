// expect: nothing
#include <pthread.h>
void reach_error(void);
void __VERIFIER_assume(int);
_Bool __VERIFIER_nondet_bool(void);
int x;
void *work(void *p) { x = __VERIFIER_nondet_bool(); return 0; }
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    __VERIFIER_assume(x < 1);
    if (x == 1) reach_error();
    return 0;
}
