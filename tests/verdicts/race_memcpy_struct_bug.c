// check --errors race: bug
/* Main copies the whole struct without the mutex while the thread writes its middle field. */
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
    memcpy(&copy, &point, sizeof copy);
    pthread_join(t, NULL);
    return copy.x;
}
