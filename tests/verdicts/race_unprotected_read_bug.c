// check --errors race: bug
/* The writer holds the mutex but main reads the total without it. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *writer(void *arg)
{
    pthread_mutex_lock(&lock);
    total = 7;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int seen;
    pthread_create(&t, NULL, writer, NULL);
    seen = total;
    pthread_join(t, NULL);
    return seen;
}
