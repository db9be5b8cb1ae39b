// check --errors race: bug
/* Main reads the result before it joins the thread that writes it. */
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
    copy = result;
    pthread_join(t, NULL);
    return copy != 25;
}
