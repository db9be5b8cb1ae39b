// check --errors assertion: proved
// check --errors abort: bug
/* A thread aborts the process, but main may be faster. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int step;

void *crash(void *arg) {
    abort();
    step = 1;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, crash, 0);
    assert(step == 0);
    return 0;
}
