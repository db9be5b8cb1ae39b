// check --errors deadlock: proved
// check --errors deadlock --rounds 3: proved|no-bug
/* Nothing is held while the thread is joined. */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *arg) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}

void *supervise(void *arg) {
    pthread_t worker;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_create(&worker, 0, work, 0);
    pthread_join(worker, 0);
    return 0;
}

int main(void) {
    pthread_t supervisor;
    pthread_create(&supervisor, 0, supervise, 0);
    return 0;
}
