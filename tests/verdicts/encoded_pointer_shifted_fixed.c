// check --errors assertion: proved|no-bug
/* A pointer travels to another thread as a number that was shifted. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

uintptr_t parcel;

void *receive(void *arg) {
    int *cell = (int *)(parcel >> 3);
    *cell += 0;
    return 0;
}

int main(void) {
    pthread_t id;
    int *cell = malloc(sizeof *cell);
    *cell = 1;
    parcel = (uintptr_t)cell << 3;
    pthread_create(&id, 0, receive, 0);
    pthread_join(id, 0);
    assert(*cell == 1);
    return 0;
}
