// check --errors race: bug
/* Main joins the thread that wrote the right half and then reads the left half, whose writer may still run. */
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
    pthread_join(r, NULL);
    copy = left;
    pthread_join(l, NULL);
    return copy;
}
