// check --errors assertion: no-bug
// says: atomic_order_relaxed_unknown.c:13 acts as if its order were seq_cst
// check --errors assertion --memory-model sc: proved
/* Only with sequentially consistent operations does the message arrive before the flag. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int message, flag;

void *send(void *arg) {
    atomic_store(&message, 1);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, send, 0);
    if (atomic_load(&flag))
        assert(atomic_load(&message) == 1);
    return 0;
}
