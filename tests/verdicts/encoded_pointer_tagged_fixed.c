// check --errors assertion: proved|no-bug
/* The lowest bit of a pointer is used as a mark and removed before the use. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

uintptr_t head;

void *visit(void *arg) {
    int *cell = (int *)(head & ~(uintptr_t)1);
    *cell = 3;
    return 0;
}

int main(void) {
    pthread_t id;
    int *cell = malloc(sizeof *cell);
    *cell = 3;
    head = (uintptr_t)cell | 1;
    pthread_create(&id, 0, visit, 0);
    assert(*cell == 3);
    pthread_join(id, 0);
    return 0;
}
