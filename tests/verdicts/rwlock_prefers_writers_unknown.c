// check: no-bug
// says: do not wait for writers that wait
/* The initializer asks for a lock that lets readers wait while a writer waits. */
#define _GNU_SOURCE
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

int main(void) {
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    return 0;
}
