// expect: assertion failed
/* A variable of the environment may be unset, but one that is set stays so. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

char *seen;

void *look(void *argument) {
    seen = getenv("LEVEL");
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, look, 0);
    char *level = getenv("LEVEL");
    pthread_join(id, 0);
    assert(level);
    return 0;
}
