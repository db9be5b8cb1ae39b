// check: proved
/* The usual initializer: readers need not wait for writers that wait. */
#define _GNU_SOURCE
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    return 0;
}
