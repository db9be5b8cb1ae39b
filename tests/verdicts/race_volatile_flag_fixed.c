// check --errors race: proved
/* The reader leaves its loop only after it saw the atomic flag that was set after the data. */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *producer(void *arg)
{
    data = 5;
    ready = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int got;
    pthread_create(&t, NULL, producer, NULL);
    while (!ready)
        ;
    got = data;
    pthread_join(t, NULL);
    return got;
}
