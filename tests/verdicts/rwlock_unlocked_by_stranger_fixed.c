// check: no-bug
// says: an attempt to lock orders what comes after it
// check --errors assertion,lock,memory,deadlock: proved
// check --errors lock: proved
/* A thread unlocks a read lock that only another thread holds. */
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

void *reader(void *arg) {
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    return 0;
}

void *stranger(void *arg) {
    if (pthread_rwlock_trywrlock(&l) == 0)
        pthread_rwlock_unlock(&l);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, stranger, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
