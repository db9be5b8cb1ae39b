// expect: nothing
#include <assert.h>
#include <pthread.h>
int x;
void *add(void *p) {
    int old = __atomic_load_n(&x, __ATOMIC_SEQ_CST);
    while (!__atomic_compare_exchange_n(&x, &old, old + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) ;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
    return 0;
}
