// check --errors assertion: proved
/* A weak compare-and-swap may fail without reason, a strong one may not. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int cell;

void *work(void *arg) {
    int expected = 0;
    assert(atomic_compare_exchange_strong(&cell, &expected, 1));
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, work, 0);
    pthread_join(id, 0);
    return 0;
}
