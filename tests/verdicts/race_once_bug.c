// check --errors race: bug
/* The table is filled beside pthread_once, by both threads, so their writes are not ordered. */
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int table;
static int started;

static void setup(void)
{
    started = 1;
}

static void *user(void *arg)
{
    int copy;
    pthread_once(&control, setup);
    table = 99;
    copy = table + started;
    return copy == 100 ? NULL : arg;
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
