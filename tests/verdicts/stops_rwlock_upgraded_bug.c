// check --errors assertion: bug
/* Two readers want to become writers: each waits for the other, with its counter raised. */
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
pthread_barrier_t both;
int readers[2];

void *upgrade(void *arg) {
    int *mine = arg;
    pthread_rwlock_rdlock(&l);
    *mine = 1;
    pthread_barrier_wait(&both);
    pthread_rwlock_wrlock(&l);
    *mine = 2;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&both, 0, 2);
    pthread_create(&a, 0, upgrade, &readers[0]);
    pthread_create(&b, 0, upgrade, &readers[1]);
    assert(readers[0] + readers[1] < 2);
    return 0;
}
