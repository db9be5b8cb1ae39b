// check: proved
// check --errors assertion: proved
// check --errors memory: proved
/* A function hands its local to a thread and returns. */
#include <assert.h>
#include <pthread.h>

void *use(void *arg) {
    assert(*(int *)arg == 5);
    return 0;
}

pthread_t launch(void) {
    pthread_t id;
    static int order = 5;
    pthread_create(&id, 0, use, &order);
    return id;
}

int main(void) {
    pthread_join(launch(), 0);
    return 0;
}
