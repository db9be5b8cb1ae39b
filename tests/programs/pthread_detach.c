#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <errno.h>

static sem_t done, go;
static int values[4];
static int self_detached;

static void *work(void *arg)
{
    int *p = arg;
    *p = *p * 10 + 1;
    sem_post(&done);
    return NULL;
}
static void *detach_self(void *arg)
{
    self_detached = pthread_detach(pthread_self()) + 7;
    sem_post(&done);
    return arg;
}
static void *wait_go(void *arg)
{
    sem_wait(&go);                         /* detached while running */
    *(int *)arg += 1000;
    sem_post(&done);
    return NULL;
}

int main(void)
{
    sem_init(&done, 0, 0);
    sem_init(&go, 0, 0);
    pthread_t t;
    for (int i = 0; i < 3; i++) {
        values[i] = i + 1;
        pthread_create(&t, NULL, work, &values[i]);
        printf("%d ", pthread_detach(t));
    }
    for (int i = 0; i < 3; i++) sem_wait(&done);
    printf("%d %d %d\n", values[0], values[1], values[2]);

    pthread_create(&t, NULL, detach_self, NULL);
    sem_wait(&done);
    printf("%d\n", self_detached);

    pthread_create(&t, NULL, wait_go, &values[3]);
    int rc = pthread_detach(t);
    sem_post(&go);
    sem_wait(&done);
    printf("%d %d\n", rc, values[3]);

    /* created detached from the start */
    pthread_attr_t at;
    int st = -1;
    pthread_attr_init(&at);
    pthread_attr_getdetachstate(&at, &st);
    printf("%d ", st == PTHREAD_CREATE_JOINABLE);
    pthread_attr_setdetachstate(&at, PTHREAD_CREATE_DETACHED);
    pthread_attr_getdetachstate(&at, &st);
    printf("%d\n", st == PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &at, work, &values[0]);
    sem_wait(&done);
    printf("%d\n", values[0]);
    pthread_attr_setdetachstate(&at, PTHREAD_CREATE_JOINABLE);
    pthread_create(&t, &at, work, &values[0]);
    printf("%d\n", pthread_join(t, NULL));
    sem_wait(&done);
    printf("%d\n", values[0]);
    pthread_attr_destroy(&at);
    return 0;
}
