// expect: assertion failed
/* Creating and waiting are two steps, even though creating needs no switch before it. */
#include <assert.h>
#include <pthread.h>
int x;
void *add(void *arg) {
    x++;
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
