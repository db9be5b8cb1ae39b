// check --errors assertion: proved
/* A handler of atexit() runs when main returns, while other threads still do. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int closed;

void close_all(void) {
    closed = 1;
}

void *use(void *arg) {
    assert(!closed);
    return 0;
}

int main(void) {
    pthread_t id;
    atexit(close_all);
    pthread_create(&id, 0, use, 0);
    return pthread_join(id, 0);
}
