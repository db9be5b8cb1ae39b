// check --errors race: proved
/* Main joins the thread that wrote the left half before it reads the left half. */
#include <pthread.h>

static int left, right;

static void *write_left(void *arg)
{
    left = 1;
    return NULL;
}

static void *write_right(void *arg)
{
    right = 2;
    return NULL;
}

int main(void)
{
    pthread_t l, r;
    int copy;
    pthread_create(&l, NULL, write_left, NULL);
    pthread_create(&r, NULL, write_right, NULL);
    pthread_join(l, NULL);
    copy = left;
    pthread_join(r, NULL);
    return copy;
}
