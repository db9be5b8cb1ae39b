// expect: assertion failed
/* A clock that cannot be set does not go back, also between threads. */
#include <assert.h>
#include <pthread.h>
#include <time.h>

time_t first;

void *look(void *argument) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    first = t.tv_sec;
    return 0;
}

int main(void) {
    pthread_t id;
    struct timespec t;
    pthread_create(&id, 0, look, 0);
    pthread_join(id, 0);
    clock_gettime(CLOCK_REALTIME, &t);
    assert(t.tv_sec >= first);
    return 0;
}
