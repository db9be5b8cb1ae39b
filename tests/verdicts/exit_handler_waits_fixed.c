// check --errors assertion: proved
/* A handler of exit() runs in the thread that called exit(), beside all others. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int sum;

void total(void) {
    pthread_mutex_lock(&m);
    assert(sum == 0 || sum == 2);
    pthread_mutex_unlock(&m);
}

void *add(void *arg) {
    pthread_mutex_lock(&m);
    sum++;
    assert(sum == 1);
    sum++;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t id;
    atexit(total);
    pthread_create(&id, 0, add, 0);
    exit(0);
}
