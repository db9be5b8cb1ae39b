// check --errors assertion: bug
// check --errors deadlock: bug
/* Main waits for a semaphore that nobody posts; what it wrote before is there to be seen. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t never;
int door;

void *look(void *arg) {
    assert(door == 0);
    return 0;
}

int main(void) {
    pthread_t id;
    sem_init(&never, 0, 0);
    pthread_create(&id, 0, look, 0);
    door = 1, sem_wait(&never);
    return 0;
}
