// check --errors deadlock: proved
/* Waiting for work when main ends the process is no deadlock. */
#include <pthread.h>
#include <semaphore.h>

sem_t work;

void *worker(void *arg)
{
    while (1)
        sem_wait(&work);
}

int main(void)
{
    pthread_t thread;
    sem_init(&work, 0, 0);
    pthread_create(&thread, 0, worker, 0);
    sem_post(&work);
    return 0;
}
