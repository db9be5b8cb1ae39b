// check --errors no-race: proved
// check --errors memory: proved
/* A null pointer is followed for nothing, on the left of a comma. */
#include <pthread.h>
#include <stddef.h>

int target, *pointer = &target;

void *clear(void *arg) {
    pointer = &target;
    return 0;
}

int main(void) {
    pthread_t id;
    int result;
    pthread_create(&id, 0, clear, 0);
    result = (*pointer, 5);
    pthread_join(id, 0);
    return result - 5;
}
