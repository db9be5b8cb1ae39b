// check --errors assertion: proved
/* The assignment of a struct is as many writes as it has members. */
#include <assert.h>
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

struct pair {
    int x, y;
} pair, other = {1, 1};

void *assign(void *arg) {
    __VERIFIER_atomic_begin(), pair = other, __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, assign, 0);
    __VERIFIER_atomic_begin();
    int same = pair.x == pair.y;
    __VERIFIER_atomic_end();
    assert(same);
    return 0;
}
