// check --errors leak: bug
// check --errors leak --rounds 4: no-bug
// says: only the states that are visited one by one show it
/* Both threads see an empty cache, and one of two allocations is lost. */
#include <pthread.h>
#include <stdlib.h>

_Atomic(int *) cache;

void *fill(void *arg) {
    if (!cache)
        cache = malloc(sizeof(int));
    return 0;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, fill, 0);
    fill(0);
    pthread_join(other, 0);
    free(cache);
    return 0;
}
