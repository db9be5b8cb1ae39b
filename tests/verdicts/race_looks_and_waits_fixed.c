// check --rounds 3 --errors race: proved
// check --errors race: proved
/* The thread never goes on, and looks atomically. */
#include <pthread.h>
void __VERIFIER_assume(int);

_Atomic int state;

void *wait_for_two(void *arg) {
    __VERIFIER_assume(state == 2);
    return 0;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, wait_for_two, 0);
    state = 1;
    return 0;
}
