// expect: assertion failed
/* A bit-field that does not begin in the first byte. */
#include <assert.h>
#include <pthread.h>

struct { unsigned a : 8, b : 8; } flags;

void *set(void *arg) {
    flags.b = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    assert(flags.b == 0);
    return 0;
}
