// expect: wrong use of a lock
/* Only who holds a read-write lock may unlock it, even if somebody else reads; a thread may read twice. */
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *reader(void *argument) {
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t id;
    int n = 0;
    pthread_create(&id, 0, reader, 0);
    if (pthread_rwlock_rdlock(&lock) == 0) n++;
    if (pthread_rwlock_tryrdlock(&lock) == 0) n++;
    while (n > 0) {
        pthread_rwlock_unlock(&lock);
        n--;
    }
    if (n == 0) pthread_rwlock_unlock(&lock);
    pthread_join(id, 0);
    return 0;
}
