// check --errors race: bug
/* A compare-and-swap that acquires nothing by its order of success orders nothing. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int data;

static void *work(void *arg) {
    int expected = 0;
    while (!atomic_compare_exchange_strong_explicit(&lock, &expected, 1, memory_order_relaxed, memory_order_relaxed))
        expected = 0;
    data++;
    atomic_store_explicit(&lock, 0, memory_order_release);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    return 0;
}
