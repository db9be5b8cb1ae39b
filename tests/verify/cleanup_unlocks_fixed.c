// expect: nothing
/* A thread that ends while it holds the lock gives it back by its cleanup handler. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void unlock(void *arg)
{
    pthread_mutex_unlock(arg);
}

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    if (arg == NULL)
        pthread_exit(NULL);
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    return 0;
}
