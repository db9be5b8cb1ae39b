// check --errors deadlock: bug
/* The semaphore is one thread's own, so its steps are left out of what is searched: the wait after them is found. */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t own;

static void *keeper(void *arg) {
    pthread_mutex_lock(&mutex);
    return arg;
}

static void *waiter(void *arg) {
    sem_wait(&own);
    sem_post(&own);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void) {
    pthread_t a, b;
    sem_init(&own, 0, 1);
    pthread_create(&a, 0, keeper, 0);
    pthread_create(&b, 0, waiter, 0);
    for (;;)
        ;
}
