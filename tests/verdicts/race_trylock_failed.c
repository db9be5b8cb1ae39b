// check --errors race: no-bug
/* An attempt to lock that fails orders nothing (C11 7.26.4.5): that it does is assumed, and so nothing is proved. */
#include <threads.h>

static mtx_t lock;
static int value;

static int holder(void *arg)
{
    value = 1;
    mtx_lock(&lock);
    return 0;
}

int main(void)
{
    thrd_t other;
    mtx_init(&lock, mtx_plain);
    thrd_create(&other, holder, 0);
    if (mtx_trylock(&lock) != thrd_success)
        value = 2;
    return 0;
}
