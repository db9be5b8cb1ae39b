// check --errors assertion: proved
/* A bug that sequential consistency has is one whatever the orders are. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int counter;

void *add(void *arg) {
    atomic_fetch_add(&counter, 1);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, add, 0);
    add(0);
    pthread_join(id, 0);
    assert(atomic_load(&counter) == 2);
    return 0;
}
