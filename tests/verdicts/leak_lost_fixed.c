// check --errors leak: proved
// check --errors cleanup: proved
// check --errors memory,leak: proved
// check: proved
/* What is allocated is given back. */
#include <pthread.h>
#include <stdlib.h>

void *work(void *arg) {
    long *buffer = malloc(sizeof(long));
    *buffer = 1;
    free(buffer);
    return 0;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, work, 0);
    pthread_join(other, 0);
    return 0;
}
