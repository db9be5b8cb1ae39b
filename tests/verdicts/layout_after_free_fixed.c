// check --errors assertion: proved|no-bug
/* malloc() may give an address again that was freed. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

uintptr_t old;

void *use(void *arg) {
    int *cell = malloc(sizeof *cell);
    old = (uintptr_t)cell;
    *cell = 0;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, use, 0);
    pthread_join(id, 0);
    int *cell = malloc(sizeof *cell);
    assert((uintptr_t)cell != old);
    return 0;
}
