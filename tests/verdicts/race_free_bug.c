// check --errors race: bug
/* Main frees the memory while the thread may still be reading it. */
#include <pthread.h>
#include <stdlib.h>

static void *reader(void *arg)
{
    int *p = arg;
    int copy = *p;
    return copy == 6 ? arg : NULL;
}

int main(void)
{
    pthread_t t;
    int *p = malloc(sizeof *p);
    if (p == NULL)
        return 1;
    *p = 6;
    pthread_create(&t, NULL, reader, p);
    free(p);
    pthread_join(t, NULL);
    return 0;
}
