// check --errors race: bug
/* The flag is stored relaxed, so seeing it set does not order the write of the data before the read. */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *producer(void *arg)
{
    data = 5;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int got = 0;
    pthread_create(&t, NULL, producer, NULL);
    if (atomic_load_explicit(&ready, memory_order_acquire))
        got = data;
    pthread_join(t, NULL);
    return got;
}
