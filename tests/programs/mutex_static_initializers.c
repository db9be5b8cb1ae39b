#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <errno.h>

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t rec = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t chk = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t table[3] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, PTHREAD_MUTEX_INITIALIZER };
static struct { int n; pthread_mutex_t m; int after; } holder = { 3, PTHREAD_MUTEX_INITIALIZER, 9 };
static struct queue { struct { pthread_mutex_t lock; } in; pthread_cond_t cv; int v; } q =
    { .in.lock = PTHREAD_MUTEX_INITIALIZER, .cv = PTHREAD_COND_INITIALIZER, .v = 1 };
static pthread_mutex_t zeroed;             /* all zero, given a value later */

static const char *name(int rc)
{
    return rc == 0 ? "ok" : rc == EBUSY ? "EBUSY" : rc == EPERM ? "EPERM" : rc == EDEADLK ? "EDEADLK" : "other";
}
static int locked_add(int *p, int k)
{
    static pthread_mutex_t local = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&local);
    int r = *p += k;
    pthread_mutex_unlock(&local);
    return r;
}
static int sum;
static void *work(void *arg)
{
    for (int i = 0; i < 40; i++) {
        locked_add(&sum, 1);
        pthread_mutex_lock(&rec); pthread_mutex_lock(&rec);
        holder.n++;
        pthread_mutex_unlock(&rec); pthread_mutex_unlock(&rec);
        pthread_mutex_lock(&q.in.lock); q.v += 2; pthread_mutex_unlock(&q.in.lock);
    }
    return NULL;
}

int main(void)
{
    printf("%s", name(pthread_mutex_lock(&plain)));
    printf(" %s", name(pthread_mutex_trylock(&plain)));
    printf(" %s\n", name(pthread_mutex_unlock(&plain)));
    printf("%s", name(pthread_mutex_lock(&rec)));
    printf(" %s", name(pthread_mutex_trylock(&rec)));
    printf(" %s", name(pthread_mutex_lock(&rec)));
    for (int i = 0; i < 3; i++) printf(" %s", name(pthread_mutex_unlock(&rec)));
    printf(" %s\n", name(pthread_mutex_unlock(&rec)));
    printf("%s", name(pthread_mutex_lock(&chk)));
    printf(" %s", name(pthread_mutex_lock(&chk)));
    printf(" %s", name(pthread_mutex_unlock(&chk)));
    printf(" %s\n", name(pthread_mutex_unlock(&chk)));
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&table[i]);
        int rc = pthread_mutex_trylock(&table[i]);
        printf("%s ", name(rc));
        if (rc == 0) pthread_mutex_unlock(&table[i]);
        pthread_mutex_unlock(&table[i]);
    }
    printf("\n");
    pthread_mutex_lock(&holder.m);
    printf("%d %d %s\n", holder.n, holder.after, name(pthread_mutex_trylock(&holder.m)));
    pthread_mutex_unlock(&holder.m);

    pthread_mutex_t automatic = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&automatic);
    printf("%s\n", name(pthread_mutex_trylock(&automatic)));
    pthread_mutex_unlock(&automatic);
    zeroed = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    pthread_mutex_lock(&zeroed);
    printf("%s\n", name(pthread_mutex_lock(&zeroed)));
    pthread_mutex_unlock(&zeroed); pthread_mutex_unlock(&zeroed);

    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
    printf("%d %d %d\n", sum, holder.n, q.v);
    return 0;
}
