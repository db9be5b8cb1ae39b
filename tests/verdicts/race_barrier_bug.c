// check --errors race: bug
/* Each thread reads the slot of the other one before the barrier, with nothing ordering it against the write. */
#include <pthread.h>

static pthread_barrier_t meet;
static int slot[2];
static int sum[2];

static void *worker(void *arg)
{
    int me = *(int *)arg;
    slot[me] = me + 1;
    sum[me] = slot[0] + slot[1];
    pthread_barrier_wait(&meet);
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
