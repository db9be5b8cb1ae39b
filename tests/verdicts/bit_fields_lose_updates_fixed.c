// check --errors assertion: proved
/* Neighbouring bit-fields are one memory location; `int : 0` separates them. */
#include <assert.h>
#include <pthread.h>

struct flags {
    unsigned ready : 1;
    unsigned : 0;
    unsigned done : 1;
} flags;

void *set_ready(void *arg) {
    flags.ready = 1;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, set_ready, 0);
    flags.done = 1;
    pthread_join(id, 0);
    assert(flags.ready && flags.done);
    return 0;
}
