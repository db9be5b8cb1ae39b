// check --errors race: bug
/* Both threads increment a plain int, and nothing orders the two increments. */
#include <pthread.h>
#include <stdatomic.h>

static int counter;

static void *worker(void *arg)
{
    counter++;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter;
}
