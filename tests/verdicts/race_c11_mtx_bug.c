// check --errors race: bug
/* The C11 mutex is released before the increment, so the increments are not ordered. */
#include <threads.h>

static mtx_t lock;
static int counter;

static int worker(void *arg)
{
    mtx_lock(&lock);
    mtx_unlock(&lock);
    counter++;
    return 0;
}

int main(void)
{
    thrd_t a, b;
    mtx_init(&lock, mtx_plain);
    thrd_create(&a, worker, NULL);
    thrd_create(&b, worker, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    mtx_destroy(&lock);
    return counter;
}
