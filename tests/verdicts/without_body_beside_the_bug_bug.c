// check --errors assertion: bug
// says: counter is 1
/* The lost update needs no function without body, though there is one. */
#include <assert.h>
#include <pthread.h>

int trace_line(int value);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int counter;

void *add(void *lock) {
    pthread_mutex_lock(lock);
    counter++;
    pthread_mutex_unlock(lock);
    trace_line(counter);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, &m);
    pthread_create(&b, 0, add, &n);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
