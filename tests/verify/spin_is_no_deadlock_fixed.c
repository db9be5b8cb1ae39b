// expect: nothing
/* A thread that ends, one that is never created, and one that spins: nobody waits for good. */
#include <pthread.h>

int stop;

void *spin(void *arg) {
    while (!stop) {
    }
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, spin, 0);
    stop = 1;
    pthread_join(t, 0);
    if (stop == 2) pthread_create(&t, 0, spin, 0);
    return 0;
}
