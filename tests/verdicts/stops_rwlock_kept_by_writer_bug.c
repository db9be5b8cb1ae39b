// check --errors assertion: bug
/* Main keeps the write lock for ever; a reader hangs after its first step. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int tries;

void *reader(void *arg) {
    tries = 1;
    pthread_rwlock_rdlock(&l);
    tries = 2;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_rwlock_wrlock(&l);
    pthread_create(&id, 0, reader, 0);
    assert(tries == 0);
    return 0;
}
