// check --errors assertion: bug
/* Of a union the small member is written and the large one read. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

union cell {
    unsigned char byte;
    unsigned word;
} *cell;

void *look(void *arg) {
    assert(cell->word != 0x4711);
    return 0;
}

int main(void) {
    pthread_t id;
    cell = malloc(sizeof *cell);
    cell->byte = 0x11;
    pthread_create(&id, 0, look, 0);
    pthread_join(id, 0);
    return 0;
}
