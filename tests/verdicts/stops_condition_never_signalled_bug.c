// check --errors assertion: bug
// check --errors deadlock: bug
/* The flag that a thread waits for is never set; the mutex is free while it waits. */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int flag, asleep;

void *sleeper(void *arg) {
    pthread_mutex_lock(&m);
    asleep++;
    while (!flag)
        pthread_cond_wait(&c, &m);
    asleep--;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, sleeper, 0);
    pthread_mutex_lock(&m);
    assert(asleep == 0);
    pthread_mutex_unlock(&m);
    pthread_join(id, 0);
    return 0;
}
