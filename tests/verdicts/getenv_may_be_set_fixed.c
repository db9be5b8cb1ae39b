// check --errors assertion: proved|no-bug
/* The environment may have a variable, and says the same when asked twice. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int verbose;

void *look(void *arg) {
    if (getenv("VERBOSE"))
        verbose = 1;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, look, 0);
    pthread_join(id, 0);
    assert(verbose == (getenv("VERBOSE") != 0));
    return 0;
}
