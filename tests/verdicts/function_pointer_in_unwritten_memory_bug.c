// check --errors memory: bug
/* A struct from malloc() has no function yet. */
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
    (void)nothing;
    pthread_create(&id, 0, use, 0);
    pthread_join(id, 0);
    return 0;
}
