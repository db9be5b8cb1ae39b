#include "pool.h"
#include "lock.h"

static int total;

void pool_add(int value)
{
    take();
    total += value;
    give();
}

int pool_total(void)
{
    return total;
}
