// check --errors race: proved
/* Every thread increments its own copy of the thread-local variable. */
#include <pthread.h>

static _Thread_local int depth;

static void *worker(void *arg)
{
    depth++;
    depth++;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return depth;
}
