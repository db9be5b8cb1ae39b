// check --errors assertion: proved
/* A lock made of a flag: release and acquire are weaker than seq_cst. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_flag taken = ATOMIC_FLAG_INIT;
int inside;

void *enter(void *arg) {
    if (atomic_flag_test_and_set(&taken))
        return 0;
    inside++;
    assert(inside == 1);
    inside--;
    atomic_flag_clear_explicit(&taken, memory_order_seq_cst);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, enter, 0);
    enter(0);
    pthread_join(id, 0);
    return 0;
}
