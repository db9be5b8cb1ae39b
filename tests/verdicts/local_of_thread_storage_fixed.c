// check: proved
// check --errors memory: proved
/* A _Thread_local variable ends with its thread, but somebody kept its address. */
#include <pthread.h>

int mine;
int *kept;

void *work(void *arg) {
    mine = 5;
    kept = &mine;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, work, 0);
    pthread_join(id, 0);
    return *kept - 5;
}
