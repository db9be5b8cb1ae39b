// check --errors race: bug
/* The detached thread may still be running when main writes the status. */
#include <pthread.h>
#include <semaphore.h>

static sem_t finished;
static int status;

static void *background(void *arg)
{
    status = 1;
    sem_post(&finished);
    return NULL;
}

int main(void)
{
    pthread_t t;
    sem_init(&finished, 0, 0);
    pthread_create(&t, NULL, background, NULL);
    pthread_detach(t);
    status = 2;
    return 0;
}
