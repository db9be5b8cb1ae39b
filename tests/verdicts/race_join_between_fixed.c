// check --errors race: proved
/* The first thread is joined before the second one is created, so its write comes first. */
#include <pthread.h>

static int step;

static void *first(void *arg)
{
    step = 1;
    return NULL;
}

static void *second(void *arg)
{
    step = 2;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_join(a, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(b, NULL);
    return step;
}
