// check --errors assertion: proved|no-bug
/* All bits of a pointer are turned over, in a union. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

union word {
    int *pointer;
    uintptr_t number;
};

uintptr_t turned;

void *turn_back(void *arg) {
    union word w;
    w.number = ~turned;
    *w.pointer = 1;
    return 0;
}

int main(void) {
    pthread_t id;
    union word w;
    w.pointer = malloc(sizeof(int));
    *w.pointer = 1;
    turned = ~w.number;
    pthread_create(&id, 0, turn_back, 0);
    assert(*w.pointer == 1);
    pthread_join(id, 0);
    return 0;
}
