// check --errors no-race: proved
// check --errors assertion: proved
/* A process that aborts where it must not go on is well defined: nothing comes after it. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int limit = 5;

void *change(void *arg) {
    limit = (int)(long)arg;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, change, (void *)4);
    int seen = limit;
    if (seen != 4 && seen != 2)
        abort();
    assert(seen == 4);
    return 0;
}
