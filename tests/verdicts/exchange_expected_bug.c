// check --errors assertion: bug
/* A compare-and-swap that fails writes what it found after its atomic step, not in it (C11 7.17.7.4). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
_Atomic int x = 1;
int found, seen = -1;
void *exchanger(void *arg) {
    atomic_compare_exchange_strong(&x, &found, 2);
    return 0;
}
void *setter(void *arg) {
    x = 5;
    seen = found;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, exchanger, 0);
    pthread_create(&b, 0, setter, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(!(seen == 0 && found == 1));
    return 0;
}
