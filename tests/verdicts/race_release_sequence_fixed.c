// check --errors race: no-bug|proved
/* A later store of the same thread continues the release sequence (C11 5.1.2.4). */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void *work(void *arg) {
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
        data = 2;
    pthread_join(thread, 0);
    return 0;
}
