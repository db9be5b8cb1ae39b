// check --errors assertion: proved|no-bug
/* Where malloc() puts an object, and so its place in a table of hashes, is not known. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

unsigned slot;

void *insert(void *arg) {
    int *cell = malloc(sizeof *cell);
    slot = ((uintptr_t)cell >> 4) % 7;
    free(cell);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, insert, 0);
    pthread_join(id, 0);
    assert(slot < 7);
    return 0;
}
