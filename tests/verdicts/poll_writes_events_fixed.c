// check --errors assertion: proved
/* poll() says in revents what happened, and leaves the rest alone. */
#include <assert.h>
#include <poll.h>
#include <pthread.h>

struct pollfd watched = {0, POLLIN, 0};

void *watch(void *arg) {
    poll(&watched, 1, 100);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, watch, 0);
    pthread_join(id, 0);
    assert(watched.events == POLLIN);
    return 0;
}
