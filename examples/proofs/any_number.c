/* However many threads count, nobody loses an update: the lock is always held. */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned counter;

void *add(void *arg) {
    pthread_mutex_lock(&lock);
    unsigned before = counter;
    counter = before + 1;
    assert(counter == before + 1);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (;;) {
        pthread_create(&thread, 0, add, 0);
    }
}
