// check --errors assertion: bug
/* Each thread has a bit-field of its own, but both need the same lock. */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

struct counters {
    unsigned char left : 4, right : 4;
} counters;

void *count(void *arg) {
    pthread_mutex_lock(&m);
    counters.left = 9;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_mutex_t *mine = &n;
    pthread_create(&id, 0, count, 0);
    pthread_mutex_lock(mine);
    counters.right = 6;
    pthread_mutex_unlock(mine);
    pthread_join(id, 0);
    assert(counters.left == 9 && counters.right == 6);
    return 0;
}
