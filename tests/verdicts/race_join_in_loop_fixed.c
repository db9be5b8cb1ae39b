// check --errors race: proved
/* Twenty threads count under a lock, and main reads the sum after it has joined them all, in a loop of its own. */
#include <pthread.h>

static int sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *arg)
{
    pthread_mutex_lock(&lock);
    sum++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[20];
    for (int i = 0; i < 20; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < 20; i++)
        pthread_join(threads[i], NULL);
    return sum;
}
