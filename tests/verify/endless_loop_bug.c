// expect: assertion failed
/* A thread that goes on for ever, seen by nobody, while another fails. */
#include <assert.h>
#include <pthread.h>

int never, rounds, other;

void *fails(void *arg) {
    assert(0);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, fails, 0);
    while (never == 0) {
        rounds++;
        other = rounds;
    }
    return 0;
}
