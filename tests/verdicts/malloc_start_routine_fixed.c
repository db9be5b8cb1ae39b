// check --errors assertion: proved
/* The result of malloc() through a pointer is handed on to a thread. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *(*const allocate)(size_t) = malloc;

void *work(void *arg) {
    assert(*(int *)arg != 4711);
    return 0;
}

int main(void) {
    pthread_t id;
    int *cell = allocate(2 * sizeof *cell);
    cell[0] = 0;
    pthread_create(&id, 0, work, &cell[0]);
    pthread_join(id, 0);
    return 0;
}
