// check --errors race: no-bug|proved
/* The release store of the flag synchronizes with the acquire load that sees it. */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *producer(void *arg)
{
    data = 5;
    atomic_store_explicit(&ready, 1, memory_order_release);
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
