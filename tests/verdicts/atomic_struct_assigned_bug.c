// check --errors assertion: bug
/* An _Atomic struct is read and assigned as one, also without a function for it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    int x, y;
};

typedef struct pair cell;
cell shared;

void *store(void *arg) {
    struct pair ones = {1, 1};
    shared = ones;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, store, 0);
    struct pair seen = shared;
    assert(seen.x == seen.y);
    return 0;
}
