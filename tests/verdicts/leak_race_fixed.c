// check --errors leak: proved
// check --errors leak,cleanup: proved
/* Who comes second gives its own allocation back. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) cache;

void *fill(void *arg) {
    int *mine = malloc(sizeof(int));
    int *none = 0;
    if (!atomic_compare_exchange_strong(&cache, &none, mine))
        free(mine);
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
