// check --errors leak: bug
// says: 8 bytes allocated here are left when the process ends, and nobody can reach them any more
// check --errors cleanup: bug
// check --errors memory,leak: bug
// check: proved
/* The pointer was all that knew of the memory. */
#include <pthread.h>
#include <stdlib.h>

void *work(void *arg) {
    long *buffer = malloc(sizeof(long));
    *buffer = 1;
    return 0;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, work, 0);
    pthread_join(other, 0);
    return 0;
}
