// check --errors race: proved
/* The semaphore starts at 1, so the second thread enters only after the first one posted. */
#include <pthread.h>
#include <semaphore.h>

static sem_t gate;
static int stock;

static void *worker(void *arg)
{
    sem_wait(&gate);
    stock += 1;
    sem_post(&gate);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&gate, 0, 1);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    sem_destroy(&gate);
    return stock;
}
