// check --errors race: proved
/* Main reads the result after it joined the thread that writes it. */
#include <pthread.h>

static int result;

static void *compute(void *arg)
{
    int n = *(int *)arg;
    result = n * n;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int n = 5;
    int copy;
    pthread_create(&t, NULL, compute, &n);
    pthread_join(t, NULL);
    copy = result;
    return copy != 25;
}
