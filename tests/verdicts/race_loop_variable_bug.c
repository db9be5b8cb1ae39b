// check --errors race: bug
/* Every thread reads the loop variable of main through its address while main increments it. */
#include <pthread.h>

static void *worker(void *arg)
{
    int id = *(int *)arg;
    if (id == 0)
        return NULL;
    return arg;
}

int main(void)
{
    pthread_t t[3];
    int ids[3];
    int i;
    for (i = 0; i < 3; i++) {
        ids[i] = i;
        pthread_create(&t[i], NULL, worker, &i);
    }
    for (int k = 0; k < 3; k++)
        pthread_join(t[k], NULL);
    return 0;
}
