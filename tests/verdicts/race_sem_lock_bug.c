// check --errors race: bug
/* The semaphore starts at 2, so both threads can be inside at once. */
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
    sem_init(&gate, 0, 2);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    sem_destroy(&gate);
    return stock;
}
