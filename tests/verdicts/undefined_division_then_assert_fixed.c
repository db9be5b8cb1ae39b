// check --errors assertion: proved
// check --errors no-race: proved
/* The same with a division by zero in one interleaving. */
#include <assert.h>
#include <pthread.h>

int parts = 1, share;

void *clear(void *arg) {
    parts = 6;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, clear, 0);
    share = 6 / parts;
    assert(share >= 1);
    return 0;
}
