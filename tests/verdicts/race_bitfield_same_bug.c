// check --errors race: bug
/* Both threads write the same bit-field, and nothing orders the two writes. */
#include <pthread.h>

struct mode {
    unsigned level : 4;
    unsigned rest : 4;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mode mode;

static void *worker(void *arg)
{
    mode.level = 3;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return mode.level;
}
