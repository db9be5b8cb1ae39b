// check --errors race: proved
/* The write happens under the write lock, which excludes all readers. */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int setting;

static void *update(void *arg)
{
    pthread_rwlock_wrlock(&lock);
    setting = 3;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

static void *look(void *arg)
{
    int copy;
    pthread_rwlock_rdlock(&lock);
    copy = setting;
    pthread_rwlock_unlock(&lock);
    return copy == 3 ? arg : NULL;
}

int main(void)
{
    pthread_t w, r1, r2;
    pthread_create(&w, NULL, update, NULL);
    pthread_create(&r1, NULL, look, NULL);
    pthread_create(&r2, NULL, look, NULL);
    pthread_join(w, NULL);
    pthread_join(r1, NULL);
    pthread_join(r2, NULL);
    return 0;
}
