// check --errors race
/* The flag is atomic, but its store releases nothing. */
#include <pthread.h>
#include <stdatomic.h>

int message;
atomic_int ready;

void *send(void *arg) {
    message = 42;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t sender;
    pthread_create(&sender, 0, send, 0);
    if (atomic_load_explicit(&ready, memory_order_acquire))
        return message;
    return 0;
}
