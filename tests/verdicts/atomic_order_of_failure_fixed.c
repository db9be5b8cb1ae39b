// check --errors assertion: proved
/* The order of a compare-and-swap that fails counts, too. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int owner;
int inside;

void *enter(void *arg) {
    int none = 0;
    if (atomic_compare_exchange_strong_explicit(&owner, &none, 1, memory_order_seq_cst, memory_order_seq_cst))
        assert(++inside == 1);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, enter, 0);
    enter(0);
    return 0;
}
