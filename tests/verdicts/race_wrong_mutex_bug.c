// check --errors race: bug
/* Each thread locks a different mutex around the balance, so the locks order nothing. */
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void *deposit(void *arg)
{
    pthread_mutex_t *m = &first;
    pthread_mutex_lock(m);
    balance += 10;
    pthread_mutex_unlock(m);
    return NULL;
}

static void *withdraw(void *arg)
{
    pthread_mutex_t *m = &second;
    pthread_mutex_lock(m);
    balance -= 5;
    pthread_mutex_unlock(m);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, deposit, NULL);
    pthread_create(&b, NULL, withdraw, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
