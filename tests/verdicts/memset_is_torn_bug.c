// check --errors assertion: bug
/* So does one of memset(), unless a lock keeps it away. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
char *cells;

void *fill(void *arg) {
    pthread_mutex_lock(&m);
    memset(cells, 3, 2);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t id;
    char space[2] = {0, 0};
    cells = space;
    pthread_create(&id, 0, fill, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    int differ = cells[0] != cells[1];
    assert(!differ);
    pthread_join(id, 0);
    return 0;
}
