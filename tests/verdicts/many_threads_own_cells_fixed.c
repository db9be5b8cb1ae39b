// check --errors assertion: no-bug
/* A hundred threads have a cell each, or two of them share one. */
#include <assert.h>
#include <pthread.h>

int cells[100];

void *add(void *cell) {
    ++*(int *)cell;
    return 0;
}

int main(void) {
    pthread_t ids[100];
    for (int i = 0; i < 100; i++)
        pthread_create(&ids[i], 0, add, &cells[i]);
    pthread_join(ids[0], 0);
    pthread_join(ids[1], 0);
    assert(cells[0] + cells[1] == 2);
    return 0;
}
