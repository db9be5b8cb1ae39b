// check: bug
// check --errors memory: bug
/* A call through a pointer that another thread may not have set yet. */
#include <pthread.h>

int calls;

void hello(void) {
    calls++;
}

void (*action)(void);

void *install(void *arg) {
    action = hello;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, install, 0);
    action();
    pthread_join(id, 0);
    return 0;
}
