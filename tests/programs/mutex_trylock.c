#include <pthread.h>
#include <stdio.h>
#include <errno.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other;
static int got, busy, shared;

static const char *name(int rc) { return rc == 0 ? "ok" : rc == EBUSY ? "EBUSY" : "other"; }
static void *try_it(void *arg)
{
    int rc = pthread_mutex_trylock(&m);
    *(int *)arg = rc;
    if (rc == 0) pthread_mutex_unlock(&m);
    return NULL;
}
static int in_thread(void)
{
    pthread_t t;
    int rc = -1;
    pthread_create(&t, NULL, try_it, &rc);
    pthread_join(t, NULL);
    return rc;
}
static void *spin(void *arg)
{
    for (int i = 0; i < 50; i++) {
        while (pthread_mutex_trylock(&other) != 0) ;    /* retry until it is free */
        shared++;
        pthread_mutex_unlock(&other);
    }
    return NULL;
}
static void *mixed(void *arg)
{
    for (int i = 0; i < 50; i++) {
        if (pthread_mutex_trylock(&other) != 0) pthread_mutex_lock(&other);
        shared += 2;
        pthread_mutex_unlock(&other);
    }
    return NULL;
}

int main(void)
{
    printf("%s\n", name(pthread_mutex_trylock(&m)));    /* free: taken */
    printf("%s\n", name(pthread_mutex_trylock(&m)));    /* held by us already */
    printf("%s\n", name(in_thread()));                  /* held by another thread */
    printf("%d\n", pthread_mutex_unlock(&m));
    printf("%s\n", name(in_thread()));                  /* free again */
    pthread_mutex_lock(&m);
    printf("%s %s\n", name(pthread_mutex_trylock(&m)), name(in_thread()));
    pthread_mutex_unlock(&m);

    /* errno is not the way these report */
    errno = 0;
    pthread_mutex_lock(&m);
    int rc = pthread_mutex_trylock(&m);
    printf("%d %d\n", rc == EBUSY, errno);
    pthread_mutex_unlock(&m);

    /* one attempt for each of several mutexes */
    pthread_mutex_t set[4];
    for (int i = 0; i < 4; i++) pthread_mutex_init(&set[i], NULL);
    pthread_mutex_lock(&set[1]);
    pthread_mutex_lock(&set[3]);
    for (int i = 0; i < 4; i++) {
        if (pthread_mutex_trylock(&set[i]) == 0) got |= 1 << i;
        else busy |= 1 << i;
    }
    printf("%d %d\n", got, busy);
    for (int i = 0; i < 4; i++) { pthread_mutex_unlock(&set[i]); printf("%d", pthread_mutex_destroy(&set[i])); }
    printf("\n");

    pthread_mutex_init(&other, NULL);
    pthread_t a, b;
    pthread_create(&a, NULL, spin, NULL);
    pthread_create(&b, NULL, mixed, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", shared);
    pthread_mutex_destroy(&other);
    return 0;
}
