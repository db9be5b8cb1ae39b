// check --errors assertion: proved
/* A variable that another file defines may have any value at the start. */
#include <assert.h>
#include <pthread.h>

int setting;

void *work(void *arg) {
    assert(setting == 0);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, work, 0);
    pthread_join(id, 0);
    return 0;
}
