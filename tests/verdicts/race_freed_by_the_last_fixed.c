// check --errors race: no-bug
/* Whoever gives back the last reference frees: the count orders that after all uses. (atomic_init is a relaxed store.) */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct shared {
    atomic_int references;
    int value;
} *shared;

void *use(void *arg) {
    struct shared *mine = arg;
    int value = mine->value;
    if (atomic_fetch_sub(&mine->references, 1) == 1)
        free(mine);
    return value ? arg : 0;
}

int main(void) {
    pthread_t other;
    struct shared *made = malloc(sizeof *made);
    atomic_init(&made->references, 2);
    made->value = 7;
    pthread_create(&other, 0, use, made);
    use(made);
    pthread_join(other, 0);
    return 0;
}
