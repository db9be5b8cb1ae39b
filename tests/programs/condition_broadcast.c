#include <pthread.h>
#include <stdio.h>

#define N 4
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t start = PTHREAD_COND_INITIALIZER, ready = PTHREAD_COND_INITIALIZER;
static int go, waiting, released, phase;
static int done[N];

static void *runner(void *arg)
{
    int k = *(int *)arg;
    pthread_mutex_lock(&m);
    waiting++;
    pthread_cond_signal(&ready);
    while (!go) pthread_cond_wait(&start, &m);
    released++;
    done[k] = k * k + 1;
    pthread_mutex_unlock(&m);
    return NULL;
}
/* several phases, each opened for all by one broadcast */
static void *phased(void *arg)
{
    int *log = arg, mine = 0;
    for (int i = 1; i <= 3; i++) {
        pthread_mutex_lock(&m);
        waiting++;
        pthread_cond_signal(&ready);
        while (phase < i) pthread_cond_wait(&start, &m);
        mine = mine * 10 + phase;
        pthread_mutex_unlock(&m);
    }
    *log = mine;
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    int id[N], log[N];
    pthread_cond_broadcast(&start);        /* lost: no one is waiting */
    for (int i = 0; i < N; i++) { id[i] = i; pthread_create(&t[i], NULL, runner, &id[i]); }
    pthread_mutex_lock(&m);
    while (waiting < N) pthread_cond_wait(&ready, &m);
    printf("waiting %d released %d\n", waiting, released);
    go = 1;
    printf("%d\n", pthread_cond_broadcast(&start));
    printf("released %d\n", released);     /* still holding the lock */
    pthread_mutex_unlock(&m);
    for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
    printf("released %d\n", released);
    for (int i = 0; i < N; i++) printf("%d ", done[i]);
    printf("\n");

    waiting = 0;
    for (int i = 0; i < N; i++) pthread_create(&t[i], NULL, phased, &log[i]);
    for (int p = 1; p <= 3; p++) {
        pthread_mutex_lock(&m);
        while (waiting < N * p) pthread_cond_wait(&ready, &m);
        phase = p;
        pthread_cond_broadcast(&start);
        pthread_mutex_unlock(&m);
    }
    for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
    for (int i = 0; i < N; i++) printf("%d ", log[i]);
    printf("%d\n", waiting);
    printf("%d %d %d\n", pthread_cond_destroy(&start), pthread_cond_destroy(&ready), pthread_mutex_destroy(&m));
    return 0;
}
