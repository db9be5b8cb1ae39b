// check --errors race: proved
/* pthread_once fills the table one single time, and both threads read it after their call returned. */
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int table;
static int started;

static void setup(void)
{
    started = 1;
    table = 99;
}

static void *user(void *arg)
{
    int copy;
    pthread_once(&control, setup);
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
