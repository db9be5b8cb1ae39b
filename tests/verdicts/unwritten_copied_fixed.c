// check --errors assertion: proved
/* A copy of unknown bytes is as unknown as the original, and equal to it. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int *from, *to;

void *copy(void *arg) {
    memcpy(to, from, sizeof *to);
    return 0;
}

int main(void) {
    pthread_t id;
    from = malloc(sizeof *from);
    to = malloc(sizeof *to);
    pthread_create(&id, 0, copy, 0);
    pthread_join(id, 0);
    assert(*to == *from);
    return 0;
}
