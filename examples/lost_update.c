// expect: assertion failed
/* Two threads add to a counter. Nothing protects it, so an addition can get lost. */
#include <assert.h>
#include <pthread.h>

int counter;

void *add(void *arg) {
    counter++;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
