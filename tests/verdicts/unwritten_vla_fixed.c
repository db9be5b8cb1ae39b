// check --errors assertion: proved
/* An array of variable length holds anything until it is written. */
#include <assert.h>
#include <pthread.h>

void *look(void *arg) {
    int *cell = arg;
    assert(*cell != 4711);
    return 0;
}

int main(int argc, char **argv) {
    pthread_t id;
    int cells[argc + 2];
    cells[0] = cells[1] = 0;
    pthread_create(&id, 0, look, &cells[1]);
    pthread_join(id, 0);
    return 0;
}
