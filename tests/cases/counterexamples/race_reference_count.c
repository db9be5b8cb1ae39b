// check --errors race
/* Who gives back the last reference frees; the other one still reads. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct shared {
    atomic_int references;
    int value;
} *shared;

void *use(void *arg) {
    if (atomic_fetch_sub(&shared->references, 1) == 1)
        free(shared);
    else
        return (void *)(long)shared->value;
    return 0;
}

int main(void) {
    pthread_t other;
    shared = malloc(sizeof *shared);
    atomic_init(&shared->references, 2);
    shared->value = 7;
    pthread_create(&other, 0, use, 0);
    use(0);
    pthread_join(other, 0);
    return 0;
}
