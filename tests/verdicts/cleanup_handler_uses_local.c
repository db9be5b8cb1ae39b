// check: proved
/* A handler that pthread_exit() calls may use the locals of the function that pushed it. */
#include <assert.h>
#include <pthread.h>

static int sum;

static void add(void *arg)
{
    sum += *(int *)arg;
}

static void inner(int *k)
{
    *k = 4;
    pthread_exit(0);
}

static void *work(void *arg)
{
    int k = 3;
    pthread_cleanup_push(add, &k);
    inner(&k);
    pthread_cleanup_pop(0);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(sum == 4);
    return 0;
}
