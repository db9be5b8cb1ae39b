// check --errors race: bug
/* A volatile flag is not atomic: its read and write race, and it does not order the data. */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static volatile int ready;

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
