#include <pthread.h>
#include <stdio.h>
#include <errno.h>

static pthread_mutex_t rec, chk, norm;
static int shared;

static const char *name(int rc)
{
    switch (rc) { case 0: return "ok"; case EBUSY: return "EBUSY"; case EPERM: return "EPERM"; case EDEADLK: return "EDEADLK"; }
    return "other";
}
static void make(pthread_mutex_t *m, int type)
{
    pthread_mutexattr_t a;
    int back = -1;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, type);
    pthread_mutexattr_gettype(&a, &back);
    printf("%d %d\n", back == type, pthread_mutex_init(m, &a));
    pthread_mutexattr_destroy(&a);
}
struct req { pthread_mutex_t *m; int unlock, rc; };
static void *attempt(void *arg)
{
    struct req *r = arg;
    if (r->unlock) { r->rc = pthread_mutex_unlock(r->m); return NULL; }
    r->rc = pthread_mutex_trylock(r->m);
    if (r->rc == 0) pthread_mutex_unlock(r->m);
    return NULL;
}
static const char *elsewhere(pthread_mutex_t *m, int unlock)
{
    struct req r = { m, unlock, -1 };
    pthread_t t;
    pthread_create(&t, NULL, attempt, &r);
    pthread_join(t, NULL);
    return name(r.rc);
}
static int nested(int n)
{
    pthread_mutex_lock(&rec);
    int r = n ? 1 + nested(n - 1) : 0;
    shared++;
    pthread_mutex_unlock(&rec);
    return r;
}
static void *worker(void *arg) { for (int i = 0; i < 20; i++) nested(4); return NULL; }

int main(void)
{
    make(&rec, PTHREAD_MUTEX_RECURSIVE);
    make(&chk, PTHREAD_MUTEX_ERRORCHECK);
    make(&norm, PTHREAD_MUTEX_NORMAL);

    /* recursive: counts; free only after as many unlocks */
    printf("%s", name(pthread_mutex_lock(&rec)));
    printf(" %s", name(pthread_mutex_lock(&rec)));
    printf(" %s\n", name(pthread_mutex_trylock(&rec)));
    printf("%s\n", elsewhere(&rec, 0));
    pthread_mutex_unlock(&rec); pthread_mutex_unlock(&rec);
    printf("%s\n", elsewhere(&rec, 0));
    printf("%s\n", elsewhere(&rec, 1));            /* not the owner */
    printf("%s\n", name(pthread_mutex_unlock(&rec)));
    printf("%s\n", elsewhere(&rec, 0));
    printf("%s\n", name(pthread_mutex_unlock(&rec)));   /* not locked any more */

    /* error checking */
    printf("%s", name(pthread_mutex_lock(&chk)));
    printf(" %s", name(pthread_mutex_lock(&chk)));
    printf(" %s\n", name(pthread_mutex_trylock(&chk)));
    printf("%s %s\n", elsewhere(&chk, 1), elsewhere(&chk, 0));
    printf("%s", name(pthread_mutex_unlock(&chk)));
    printf(" %s\n", name(pthread_mutex_unlock(&chk)));
    printf("%s\n", elsewhere(&chk, 0));

    /* normal */
    pthread_mutex_lock(&norm);
    printf("%s", name(pthread_mutex_trylock(&norm)));
    printf(" %s\n", elsewhere(&norm, 0));
    pthread_mutex_unlock(&norm);

    printf("%d", nested(6));
    printf(" %d\n", shared);
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
    printf("%d\n", shared);
    printf("%d %d %d\n", pthread_mutex_destroy(&rec), pthread_mutex_destroy(&chk), pthread_mutex_destroy(&norm));
    return 0;
}
