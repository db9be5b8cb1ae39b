#include "pool.h"
#include <assert.h>
#include <pthread.h>

static void *work(void *arg)
{
    pool_add(LIMIT);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(pool_total() == 2 * LIMIT);
    return 0;
}
