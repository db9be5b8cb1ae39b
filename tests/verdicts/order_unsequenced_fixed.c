// check --errors assertion: proved
/* An index that is changed on the other side of the assignment is undefined. */
#include <assert.h>
#include <pthread.h>

int cells[2], at;

void *put(void *arg) {
    cells[at] = at + 5;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, put, 0);
    pthread_join(id, 0);
    assert(cells[0] == 5);
    return 0;
}
