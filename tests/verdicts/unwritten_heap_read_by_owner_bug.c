// check --errors assertion: bug
/* Half of an allocation is written; the other half holds anything. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *work(void *arg) {
    short *pair = malloc(2 * sizeof(short));
    pair[0] = 1;
    short got = pair[1];
    free(pair);
    assert(got != 4711);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, work, 0);
    pthread_join(id, 0);
    return 0;
}
