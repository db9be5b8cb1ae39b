// check --errors race: bug
/* The reader has no acquire fence after its relaxed load, so the release fence of the writer synchronizes with nothing. */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *producer(void *arg)
{
    data = 5;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int got = 0;
    pthread_create(&t, NULL, producer, NULL);
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        got = data;
    }
    pthread_join(t, NULL);
    return got;
}
