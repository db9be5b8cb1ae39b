// check --errors race: proved
/* Every access to the account is made under the mutex that is part of it. */
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static void *deposit(void *arg)
{
    struct account *a = arg;
    pthread_mutex_lock(&a->lock);
    a->balance += 10;
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

static void *interest(void *arg)
{
    struct account *a = arg;
    pthread_mutex_lock(&a->lock);
    a->balance += a->balance / 10;
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

int main(void)
{
    pthread_t x, y;
    struct account acc;
    pthread_mutex_init(&acc.lock, NULL);
    acc.balance = 100;
    pthread_create(&x, NULL, deposit, &acc);
    pthread_create(&y, NULL, interest, &acc);
    pthread_join(x, NULL);
    pthread_join(y, NULL);
    pthread_mutex_destroy(&acc.lock);
    return 0;
}
