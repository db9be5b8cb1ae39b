// check --errors race: proved
/* The copy of the struct and the write of its middle field happen under the same mutex. */
#include <pthread.h>
#include <string.h>

struct point {
    int x, y, z;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct point point;

static void *move(void *arg)
{
    pthread_mutex_lock(&lock);
    point.y = 4;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct point copy;
    pthread_create(&t, NULL, move, NULL);
    pthread_mutex_lock(&lock);
    memcpy(&copy, &point, sizeof copy);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return copy.x;
}
