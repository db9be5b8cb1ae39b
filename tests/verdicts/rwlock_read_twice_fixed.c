// check --errors lock: proved
/* Read locks may be nested, as long as every one is given back once. */
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

void *reader(void *arg) {
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_rwlock_rdlock(&l);
    pthread_create(&id, 0, reader, 0);
    pthread_join(id, 0);
    pthread_rwlock_unlock(&l);
    return 0;
}
