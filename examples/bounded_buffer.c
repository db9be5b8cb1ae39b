// expect: nothing
/* A ring buffer between a producer and a consumer: semaphores count what is full and what is empty. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

enum { SIZE = 1, ITEMS = 2 };
int buffer[SIZE];
sem_t full, empty;

void *produce(void *arg) {
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&empty);
        buffer[i % SIZE] = i + 1;
        sem_post(&full);
    }
    return 0;
}

void *consume(void *arg) {
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&full);
        assert(buffer[i % SIZE] == i + 1);
        sem_post(&empty);
    }
    return 0;
}

int main(void) {
    pthread_t p, c;
    sem_init(&full, 0, 0);
    sem_init(&empty, 0, SIZE);
    pthread_create(&p, 0, produce, 0);
    pthread_create(&c, 0, consume, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    return 0;
}
