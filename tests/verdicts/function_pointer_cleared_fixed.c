// check --errors no-race: proved
// check --errors memory: proved
/* The pointer is tested and called, and cleared by another thread between the two. */
#include <pthread.h>

void nothing(void) {
}

void (*volatile hook)(void) = nothing;

void *clear(void *arg) {
    hook = 0;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, clear, 0);
    void (*mine)(void) = hook;
    if (mine)
        mine();
    return 0;
}
