// check --errors race: proved
/* The barrier orders every write before it ahead of every read after it. */
#include <pthread.h>

static pthread_barrier_t meet;
static int slot[2];
static int sum[2];

static void *worker(void *arg)
{
    int me = *(int *)arg;
    slot[me] = me + 1;
    pthread_barrier_wait(&meet);
    sum[me] = slot[0] + slot[1];
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int zero = 0, one = 1;
    pthread_barrier_init(&meet, NULL, 2);
    pthread_create(&a, NULL, worker, &zero);
    pthread_create(&b, NULL, worker, &one);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_barrier_destroy(&meet);
    return 0;
}
