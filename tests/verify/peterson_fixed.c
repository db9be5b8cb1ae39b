// expect: nothing
/* Two threads that wait actively for each other: how often they look is not bounded. */
#include <assert.h>
#include <pthread.h>

int wants[2], turn, inside;

void enter(int me) {
    int other = 1 - me;
    wants[me] = 1;
    turn = other;
    while (wants[other] && turn == other) {
    }
}

void *thread(void *arg) {
    int me = arg != 0;
    for (int times = 0; times < 2; times++) {
        enter(me);
        assert(inside == 0);
        inside = 1;
        inside = 0;
        wants[me] = 0;
    }
    return 0;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, thread, 0);
    thread(&other);
    pthread_join(other, 0);
    return 0;
}
