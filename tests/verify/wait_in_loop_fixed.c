// expect: nothing
/* Producer and consumer with condition variables, waiting in loops as they should. */
#include <assert.h>
#include <pthread.h>

enum { SIZE = 1, ITEMS = 2 };
int buffer[SIZE], count, sum;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;

void *produce(void *arg) {
    for (int i = 1; i <= ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (count == SIZE) pthread_cond_wait(&not_full, &lock);
        buffer[count++] = i;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

void *consume(void *arg) {
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (count == 0) pthread_cond_wait(&not_empty, &lock);
        sum += buffer[--count];
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t p, c;
    pthread_create(&p, 0, produce, 0);
    pthread_create(&c, 0, consume, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    assert(sum == 3);
    return 0;
}
