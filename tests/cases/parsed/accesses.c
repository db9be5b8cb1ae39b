// What accesses are, as the program says it: plain, volatile, atomic with an order; and fences.
#include <stdatomic.h>
#include <pthread.h>
void __VERIFIER_assert(int);
struct pair { int a; volatile int b; _Atomic int c; };
struct pair pair;
volatile int stop;
_Atomic int count;
atomic_flag flag = ATOMIC_FLAG_INIT;
int plain;
void *worker(void *arg) {
    count++;
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    int old = atomic_load_explicit(&count, memory_order_acquire);
    atomic_store_explicit(&pair.c, old, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    __sync_synchronize();
    while (atomic_flag_test_and_set_explicit(&flag, memory_order_acquire)) ;
    atomic_flag_clear_explicit(&flag, memory_order_release);
    int expected = 3;
    atomic_compare_exchange_strong_explicit(&count, &expected, 4, memory_order_acq_rel, memory_order_relaxed);
    plain = *(volatile int *)&plain + 1;
    pair.b = stop;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    stop = 1;
    pthread_join(t, 0);
    int seen = count;
    __VERIFIER_assert(seen == 4 || plain == 1);
}
