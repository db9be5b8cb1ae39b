// check --errors race: bug
/* The first check of the plain flag is made without the mutex, while the other thread may be setting it. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;
static int value;

static int get(void)
{
    if (!done) {
        pthread_mutex_lock(&lock);
        if (!done) {
            value = 17;
            done = 1;
        }
        pthread_mutex_unlock(&lock);
    }
    return value;
}

static void *user(void *arg)
{
    return get() == 17 ? NULL : arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, user, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
