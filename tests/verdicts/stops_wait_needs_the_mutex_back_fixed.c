// check --errors assertion: proved
/* A waiting thread is signalled, but the mutex is never free again. */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int phase;

void *sleeper(void *arg) {
    pthread_mutex_lock(&m);
    phase = 1;
    pthread_cond_wait(&c, &m);
    phase = 2;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, sleeper, 0);
    pthread_mutex_lock(&m);
    int seen = phase;
    pthread_cond_signal(&c);
    assert(phase == seen);
    return 0;
}
