// expect: assertion failed in thread 1
/* The failing thread is inside an atomic section: nobody else can see its x. */
#include <assert.h>
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x;
void *fail(void *p) {
    __VERIFIER_atomic_begin();
    x = 1;
    assert(x != 1);
    x = 0;
    __VERIFIER_atomic_end();
    return 0;
}
void *look(void *p) { assert(x == 0); return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, fail, 0);
    pthread_create(&b, 0, look, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
