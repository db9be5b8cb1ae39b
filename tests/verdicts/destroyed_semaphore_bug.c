// check: bug
// says: a destroyed semaphore is waited for
/* A mutex and a semaphore, which is destroyed too early. */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t ready;
static int count;

static void *work(void *arg) {
    sem_wait(&ready);
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void) {
    pthread_t thread;
    sem_init(&ready, 0, 1);
    pthread_create(&thread, 0, work, 0);
    sem_destroy(&ready);
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
