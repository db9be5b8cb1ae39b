// check --errors assertion: no-bug
// says: atomic_order_acquire_unknown.c:14 acts as if its order were seq_cst
// check --errors assertion --memory-model sc: proved
/* Both raise a flag and look at the other's: weaker orders let both miss it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int left, right;
int left_alone, right_alone;

void *go_left(void *arg) {
    __atomic_store_n(&left, 1, __ATOMIC_SEQ_CST);
    left_alone = !__atomic_load_n(&right, __ATOMIC_ACQUIRE);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, go_left, 0);
    right = 1;
    right_alone = !left;
    pthread_join(id, 0);
    assert(!(left_alone && right_alone));
    return 0;
}
