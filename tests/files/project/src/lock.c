#include "lock.h"
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void take(void)
{
#ifndef WITHOUT_LOCK
    pthread_mutex_lock(&lock);
#endif
}

void give(void)
{
#ifndef WITHOUT_LOCK
    pthread_mutex_unlock(&lock);
#endif
}
