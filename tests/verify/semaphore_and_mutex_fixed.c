// expect: nothing
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
sem_t s;
int x;
void *set(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    sem_post(&s);
    return 0;
}
int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, set, 0);
    sem_wait(&s);
    pthread_mutex_lock(&m);
    assert(x == 1);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
