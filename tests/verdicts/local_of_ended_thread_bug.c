// check: bug
// check --errors memory: bug
/* A thread returns the address of its local to the one who joins it. */
#include <pthread.h>
#include <stdlib.h>

void *work(void *arg) {
    int local = 5, *kept = malloc(sizeof *kept);
    *kept = local;
    int *result = &local;
    return result;
}

int main(void) {
    pthread_t id;
    void *result;
    pthread_create(&id, 0, work, 0);
    pthread_join(id, &result);
    return *(int *)result - 5;
}
