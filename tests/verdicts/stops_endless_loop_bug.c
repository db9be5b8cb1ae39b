// check --errors assertion: bug
/* A thread turns in circles for ever, after it wrote. */
#include <assert.h>
#include <pthread.h>

int busy;

void *turn(void *arg) {
    busy = 1;
    while (1)
        ;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, turn, 0);
    assert(!busy);
    return 0;
}
