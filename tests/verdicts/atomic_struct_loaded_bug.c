// check --errors assertion: bug
/* atomic_load() never sees half of an atomic_store(), but it sees what was stored first. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    int x, y;
};

_Atomic struct pair shared;

void *store(void *arg) {
    atomic_store(&shared, ((struct pair){1, 0}));
    atomic_store(&shared, ((struct pair){1, 1}));
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, store, 0);
    struct pair seen = atomic_load(&shared);
    assert(seen.x == seen.y);
    return 0;
}
