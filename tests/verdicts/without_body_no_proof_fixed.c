// check --errors assertion: proved
/* A function whose body is elsewhere may write what it can reach. */
#include <assert.h>
#include <pthread.h>

void notify(int *number) {}
int state;

void *work(void *arg) {
    notify(&state);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, work, 0);
    pthread_join(id, 0);
    assert(state == 0);
    return 0;
}
