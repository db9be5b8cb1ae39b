// check: proved
// check --errors assertion: proved
/* One thread frees what the other still reads. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *cell;

void *look(void *arg) {
    assert(*cell == 1);
    return 0;
}

int main(void) {
    pthread_t id;
    cell = malloc(sizeof *cell);
    *cell = 1;
    pthread_create(&id, 0, look, 0);
    pthread_join(id, 0);
    free(cell);
    return 0;
}
