// expect: assertion failed
/* A variable that nobody writes stands for a choice, another one in every call. */
#include <assert.h>
#include <pthread.h>
void __VERIFIER_assume(int);

int taken[2];

int choose(void) {
    int slot;
    __VERIFIER_assume(slot == 0 || slot == 1);
    __VERIFIER_assume(!taken[slot]);
    return slot;
}

void *take(void *arg) {
    int slot = choose();
    taken[slot]++;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, take, 0);
    int slot = choose();
    taken[slot]++;
    pthread_join(t, 0);
    assert(taken[0] == 1 && taken[1] == 1);
    return 0;
}
