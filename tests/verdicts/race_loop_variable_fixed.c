// check --errors race: proved
/* Every thread gets the address of its own array element, which main wrote before creating the thread. */
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
        pthread_create(&t[i], NULL, worker, &ids[i]);
    }
    for (int k = 0; k < 3; k++)
        pthread_join(t[k], NULL);
    return 0;
}
