// check --errors assertion: proved|no-bug
/* A pointer is sent as two numbers of 32 bits and put together again. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

uint32_t upper, lower;

void *join_halves(void *arg) {
    int *cell = (int *)(((uint64_t)upper << 32) | lower);
    *cell = *cell * 1;
    return 0;
}

int main(void) {
    pthread_t id;
    int *cell = malloc(sizeof *cell);
    *cell = 40;
    upper = (uint64_t)(uintptr_t)cell >> 32;
    lower = (uint32_t)(uintptr_t)cell;
    pthread_create(&id, 0, join_halves, 0);
    assert(*cell == 40);
    pthread_join(id, 0);
    return 0;
}
