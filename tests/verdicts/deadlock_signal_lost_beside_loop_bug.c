// check --errors deadlock: bug
// says: the signal is lost
/* Nobody signals again, and main goes on for ever. */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready, number;

void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    if (!ready)
        pthread_cond_wait(&condition, &lock);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_mutex_lock(&lock);
    ready = 0;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&lock);
    while (1) {
        pthread_mutex_lock(&lock);
        number = !number;
        pthread_mutex_unlock(&lock);
    }
}
