// expect: deadlock, wrong use of a thread
/* Two threads wait for each other's end; one may also look before the other was created. */
#include <pthread.h>

pthread_t a, b;

void *first(void *arg) {
    pthread_join(b, 0);
    return 0;
}

void *second(void *arg) {
    pthread_join(a, 0);
    return 0;
}

int main(void) {
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    return 0;
}
