// check --errors deadlock: proved
/* Two come, and main ends the process. */
#include <pthread.h>

pthread_barrier_t barrier;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int number;

void *worker(void *arg) { pthread_barrier_wait(&barrier); return 0; }

void *server(void *arg)
{
    while (1) {
        pthread_mutex_lock(&lock);
        number = !number;
        pthread_mutex_unlock(&lock);
    }
}

int main(void)
{
    pthread_t first, second;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, server, 0);
    pthread_barrier_wait(&barrier);
    return 0;
}
