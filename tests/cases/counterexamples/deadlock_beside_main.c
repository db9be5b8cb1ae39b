// check --errors deadlock
/* Two philosophers out of three threads; main goes home. */
#include <pthread.h>

pthread_mutex_t forks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

void *dine(void *seat) {
    int left = seat != 0, right = !left;
    pthread_mutex_lock(&forks[left]);
    pthread_mutex_lock(&forks[right]);
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, dine, 0);
    pthread_create(&second, 0, dine, forks);
    return 0;
}
