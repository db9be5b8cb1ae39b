// expect: nothing
/* A variable that another file defines holds any value. */
#include <assert.h>
#include <pthread.h>

extern int limit;
int x;

void *thread(void *argument) {
    x = limit ? 0 : limit;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, thread, 0);
    pthread_join(id, 0);
    assert(x == 0);
    return 0;
}
