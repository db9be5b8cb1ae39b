// check --errors assertion: bug
/* A local array of one thread is filled by another, but not all of it. */
#include <assert.h>
#include <pthread.h>

void *fill(void *arg) {
    long *cells = arg;
    cells[0] = 1;
    return 0;
}

int main(void) {
    pthread_t id;
    long cells[2];
    pthread_create(&id, 0, fill, cells);
    pthread_join(id, 0);
    assert(cells[1] != 4711);
    return 0;
}
