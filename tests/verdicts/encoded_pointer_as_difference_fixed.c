// check --errors assertion: proved|no-bug
/* Only the distance of two objects is sent; the receiver knows one of them. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

int base;
intptr_t distance;

void *follow(void *arg) {
    int *cell = (int *)((intptr_t)&base + distance);
    base = *cell;
    return 0;
}

int main(void) {
    pthread_t id;
    int *cell = malloc(sizeof *cell);
    *cell = 6;
    distance = (intptr_t)cell - (intptr_t)&base;
    pthread_create(&id, 0, follow, 0);
    assert(*cell == 6);
    pthread_join(id, 0);
    return 0;
}
