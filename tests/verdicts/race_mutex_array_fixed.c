// check --errors race: proved
/* Each cell is protected by the mutex of the same index in both threads. */
#include <pthread.h>

static pthread_mutex_t locks[2];
static int cells[2];

static void *worker(void *arg)
{
    int me = *(int *)arg;
    for (int k = 0; k < 2; k++) {
        int which = k;
        pthread_mutex_lock(&locks[which]);
        cells[k] += me;
        pthread_mutex_unlock(&locks[which]);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int zero = 0, one = 1;
    pthread_mutex_init(&locks[0], NULL);
    pthread_mutex_init(&locks[1], NULL);
    pthread_create(&a, NULL, worker, &zero);
    pthread_create(&b, NULL, worker, &one);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
