// check --errors memory: bug
/* The number may change between the allocation and its use. */
#include <pthread.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);

unsigned count;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *arg) {
    pthread_mutex_lock(&lock);
    int *list = malloc((count + 1) * sizeof *list);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    list[count] = 1;
    pthread_mutex_unlock(&lock);
    free(list);
    return 0;
}

int main(void) {
    pthread_t thread;
    count = __VERIFIER_nondet_uint() % 5;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&lock);
    if (count < 4)
        count++;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
