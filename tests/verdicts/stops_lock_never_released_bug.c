// check --errors assertion: bug
// check --errors deadlock: bug
/* A thread ends with the lock in its hand, so main waits for good, and a third thread looks at what main left. */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int stage;

void *keeper(void *arg) {
    pthread_mutex_lock(&m);
    return 0;
}

void *look(void *arg) {
    assert(stage != 1);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, keeper, 0);
    pthread_create(&second, 0, look, 0);
    pthread_join(first, 0);
    stage = 1;
    pthread_mutex_lock(&m);
    stage = 2;
    return 0;
}
