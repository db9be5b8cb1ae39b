// expect: deadlock
/* Three philosophers who all take the left fork first. */
#include <pthread.h>

pthread_mutex_t fork_[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

void *dine(void *arg) {
    int seat = (int)(long)arg;
    int first = seat, second = (seat + 1) % 3;
    pthread_mutex_lock(&fork_[first]);
    pthread_mutex_lock(&fork_[second]);
    pthread_mutex_unlock(&fork_[second]);
    pthread_mutex_unlock(&fork_[first]);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, dine, (void *)0);
    pthread_create(&b, 0, dine, (void *)1);
    pthread_create(&c, 0, dine, (void *)2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
