// check --errors assertion: proved
/* The allocator is chosen at run time; memory of malloc() is unknown, that of calloc() is zero. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *zeroed(size_t size) {
    return calloc(1, size);
}

void *(*volatile allocate)(size_t) = malloc;

void *choose(void *arg) {
    allocate = zeroed;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, choose, 0);
    pthread_join(id, 0);
    int *cell = allocate(sizeof *cell);
    assert(*cell != 4711);
    free(cell);
    return 0;
}
