// check --errors race: bug
/* Both threads increment one global variable, and nothing orders the increments. */
#include <pthread.h>

static int depth;

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
