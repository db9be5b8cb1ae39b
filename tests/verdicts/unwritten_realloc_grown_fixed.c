// check --errors assertion: proved|no-bug|unknown
/* realloc() keeps what was there; what it adds holds anything. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *list;

void *look(void *arg) {
    assert(list[0] != 4711);
    return 0;
}

int main(void) {
    pthread_t id;
    list = calloc(1, sizeof *list);
    list = realloc(list, 2 * sizeof *list);
    pthread_create(&id, 0, look, 0);
    pthread_join(id, 0);
    return 0;
}
