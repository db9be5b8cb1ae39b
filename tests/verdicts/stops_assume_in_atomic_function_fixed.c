// check --errors assertion: proved
/* A function that is atomic by its name waits for a number that never comes. */
#include <assert.h>
#include <pthread.h>
void __VERIFIER_assume(int);

int turn, trace;

void __VERIFIER_atomic_take_turn(int mine) {
    __VERIFIER_assume(turn == mine);
    turn++;
}

void *player(void *arg) {
    trace = 1;
    __VERIFIER_atomic_take_turn(2);
    trace = 2;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, player, 0);
    __VERIFIER_atomic_take_turn(0);
    assert(trace != 2);
    return 0;
}
