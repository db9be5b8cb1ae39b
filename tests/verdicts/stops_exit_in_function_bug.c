// check --errors assertion: bug
/* A function that may exit is called under a lock. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int error;

void check(int code) {
    error = code;
    if (code)
        exit(code);
}

void *work(void *arg) {
    pthread_mutex_lock(&m);
    check(3);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, work, 0);
    assert(error == 0);
    return 0;
}
