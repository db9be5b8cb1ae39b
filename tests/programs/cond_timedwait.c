#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <errno.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int flag, shared;
static const struct timespec past = { 1, 0 };
static const struct timespec future = { 4000000000L, 0 };

static const char *name(int rc) { return rc == 0 ? "ok" : rc == ETIMEDOUT ? "ETIMEDOUT" : "other"; }

static void *try_lock(void *arg)
{
    *(int *)arg = pthread_mutex_trylock(&m);
    if (*(int *)arg == 0) pthread_mutex_unlock(&m);
    return NULL;
}
static int probe(void)
{
    pthread_t t;
    int rc = -1;
    pthread_create(&t, NULL, try_lock, &rc);
    pthread_join(t, NULL);
    return rc;
}
static void *setter(void *arg)
{
    pthread_mutex_lock(&m);
    flag = 1;
    shared += 5;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return NULL;
}
static int wait_flag(const struct timespec *until)
{
    int rc = 0;
    pthread_mutex_lock(&m);
    while (!flag && rc != ETIMEDOUT) rc = pthread_cond_timedwait(&c, &m, until);
    int seen = flag;
    flag = 0;
    pthread_mutex_unlock(&m);
    return seen ? 0 : rc;
}

int main(void)
{
    pthread_mutex_lock(&m);
    printf("%s\n", name(pthread_cond_timedwait(&c, &m, &past)));
    printf("%d\n", probe() == EBUSY);      /* the mutex is held again afterwards */
    for (int i = 0; i < 3; i++) printf("%s ", name(pthread_cond_timedwait(&c, &m, &past)));
    printf("\n");
    pthread_mutex_unlock(&m);
    printf("%d\n", probe());

    printf("%s\n", name(wait_flag(&past)));
    pthread_t t;
    pthread_create(&t, NULL, setter, NULL);
    pthread_join(t, NULL);
    printf("%s\n", name(wait_flag(&future)));    /* signalled before: no wait at all */
    printf("%d\n", shared);
    pthread_create(&t, NULL, setter, NULL);
    pthread_join(t, NULL);
    printf("%s ", name(wait_flag(&past)));   /* the condition holds already */
    printf("%d\n", flag);

    /* the same kind of time limit on a mutex and on a semaphore */
    pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    printf("%s", name(pthread_mutex_timedlock(&own, &past)));   /* free: no waiting */
    printf(" %s\n", name(pthread_mutex_timedlock(&own, &past)));
    pthread_mutex_unlock(&own);
    sem_t s;
    sem_init(&s, 0, 1);
    printf("%d", sem_timedwait(&s, &past));
    int rc = sem_timedwait(&s, &past);
    printf(" %d %s\n", rc, name(errno));
    sem_destroy(&s);
    return 0;
}
