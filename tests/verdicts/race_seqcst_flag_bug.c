// check --errors race: bug
/* The flag is a plain int, so both the flag and the data behind it are accessed without order. */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static int ready;

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
