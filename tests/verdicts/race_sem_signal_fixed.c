// check --errors race: proved
/* The producer writes the message before it posts, and the consumer reads it after its wait. */
#include <pthread.h>
#include <semaphore.h>

static sem_t full;
static int message;

static void *producer(void *arg)
{
    message = 42;
    sem_post(&full);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int got;
    sem_init(&full, 0, 0);
    pthread_create(&t, NULL, producer, NULL);
    sem_wait(&full);
    got = message;
    pthread_join(t, NULL);
    sem_destroy(&full);
    return got;
}
