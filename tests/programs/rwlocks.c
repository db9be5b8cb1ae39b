#include <pthread.h>
#include <stdio.h>
#include <errno.h>

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER, dyn;
static int data_[3], reads;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static const char *name(int rc) { return rc == 0 ? "ok" : rc == EBUSY ? "EBUSY" : "other"; }
struct req { int write, rc; };
static void *attempt(void *arg)
{
    struct req *r = arg;
    r->rc = r->write ? pthread_rwlock_trywrlock(&rw) : pthread_rwlock_tryrdlock(&rw);
    if (r->rc == 0) pthread_rwlock_unlock(&rw);
    return NULL;
}
static const char *elsewhere(int write)
{
    struct req r = { write, -1 };
    pthread_t t;
    pthread_create(&t, NULL, attempt, &r);
    pthread_join(t, NULL);
    return name(r.rc);
}
static void *writer(void *arg)
{
    for (int i = 0; i < 50; i++) {
        pthread_rwlock_wrlock(&dyn);
        for (int k = 0; k < 3; k++) data_[k]++;
        pthread_rwlock_unlock(&dyn);
    }
    return NULL;
}
static void *reader(void *arg)
{
    int bad = 0, last = 0;
    for (int i = 0; i < 50; i++) {
        pthread_rwlock_rdlock(&dyn);
        bad += data_[0] != data_[1] || data_[1] != data_[2] || data_[0] < last;
        last = data_[0];
        pthread_rwlock_unlock(&dyn);
    }
    pthread_mutex_lock(&m); reads += 50; pthread_mutex_unlock(&m);
    *(int *)arg = bad;
    return NULL;
}

int main(void)
{
    printf("%s %s\n", elsewhere(0), elsewhere(1));       /* free */
    printf("%s\n", name(pthread_rwlock_rdlock(&rw)));
    printf("%s %s\n", elsewhere(0), elsewhere(1));       /* shared: readers only */
    printf("%s", name(pthread_rwlock_tryrdlock(&rw)));   /* a second read lock by us */
    printf(" %s\n", name(pthread_rwlock_trywrlock(&rw)));
    pthread_rwlock_unlock(&rw);
    printf("%s %s\n", elsewhere(0), elsewhere(1));       /* one read lock is left */
    pthread_rwlock_unlock(&rw);
    printf("%s\n", elsewhere(1));
    printf("%s\n", name(pthread_rwlock_wrlock(&rw)));
    printf("%s %s\n", elsewhere(0), elsewhere(1));       /* exclusive */
    printf("%s %s\n", name(pthread_rwlock_trywrlock(&rw)), name(pthread_rwlock_tryrdlock(&rw)));
    printf("%d\n", pthread_rwlock_unlock(&rw));
    printf("%s", name(pthread_rwlock_trywrlock(&rw)));
    printf(" %s\n", elsewhere(0));
    pthread_rwlock_unlock(&rw);

    printf("%d\n", pthread_rwlock_init(&dyn, NULL));
    pthread_t w[2], r[3];
    int bad[3];
    for (int i = 0; i < 3; i++) pthread_create(&r[i], NULL, reader, &bad[i]);
    for (int i = 0; i < 2; i++) pthread_create(&w[i], NULL, writer, NULL);
    for (int i = 0; i < 2; i++) pthread_join(w[i], NULL);
    for (int i = 0; i < 3; i++) pthread_join(r[i], NULL);
    printf("%d %d %d %d\n", data_[0], data_[2], bad[0] + bad[1] + bad[2], reads);
    printf("%d %d\n", pthread_rwlock_destroy(&dyn), pthread_rwlock_destroy(&rw));
    return 0;
}
