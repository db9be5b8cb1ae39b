// check --errors race: no-bug|proved
/* The read goes through the pointer that the consume load returned, so it is dependency-ordered after the release store. */
#include <pthread.h>
#include <stdatomic.h>

static int cell;
static _Atomic(int *) published;

static void *producer(void *arg)
{
    cell = 5;
    atomic_store_explicit(&published, &cell, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int got = 0;
    int *p;
    pthread_create(&t, NULL, producer, NULL);
    p = atomic_load_explicit(&published, memory_order_consume);
    if (p != NULL)
        got = *p;
    pthread_join(t, NULL);
    return got;
}
