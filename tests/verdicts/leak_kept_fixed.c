// check --errors leak: proved
// check --errors cleanup: bug
// says: 4 bytes allocated here are left when the process ends
/* A global variable still knows of the memory. */
#include <pthread.h>
#include <stdlib.h>

int *cache;

void *work(void *arg) {
    cache = malloc(sizeof(int));
    return 0;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, work, 0);
    pthread_join(other, 0);
    return 0;
}
