// check --errors deadlock: bug
/* The server goes on for ever and posts its own semaphore only: the worker and main wait for good. */
#include <pthread.h>
#include <semaphore.h>

sem_t work, own;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int number;

void *worker(void *arg) { sem_wait(&work); return 0; }

void *server(void *arg)
{
    while (1) {
        pthread_mutex_lock(&lock);
        number = !number;
        pthread_mutex_unlock(&lock);
        sem_post(&own);
        sem_trywait(&own);
    }
}

int main(void)
{
    pthread_t first, second;
    sem_init(&work, 0, 0);
    sem_init(&own, 0, 0);
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, server, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
