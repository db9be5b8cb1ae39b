// check: bug
// check --errors memory: bug
/* A call through a pointer that lies in freed memory. */
#include <pthread.h>
#include <stdlib.h>

struct handler {
    void (*call)(void);
} *handler;

void nothing(void) {
}

void *use(void *arg) {
    handler->call();
    return 0;
}

int main(void) {
    pthread_t id;
    handler = malloc(sizeof *handler);
    handler->call = nothing;
    pthread_create(&id, 0, use, 0);
    free(handler);
    pthread_join(id, 0);
    return 0;
}
