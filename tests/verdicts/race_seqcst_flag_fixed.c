// check --errors race: proved
/* The atomic flag is stored after the data and the data is read only when the flag was seen set. */
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
    int got = 0;
    pthread_create(&t, NULL, producer, NULL);
    if (ready)
        got = data;
    pthread_join(t, NULL);
    return got;
}
