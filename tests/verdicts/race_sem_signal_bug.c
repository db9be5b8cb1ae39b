// check --errors race: bug
/* The producer posts the semaphore before it writes the message, so the wait does not order the write before the read. */
#include <pthread.h>
#include <semaphore.h>

static sem_t full;
static int message;

static void *producer(void *arg)
{
    sem_post(&full);
    message = 42;
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
