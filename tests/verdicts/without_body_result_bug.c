// check --errors assertion: bug
// says: This rests on a function without body
/* Whether the assertion fails depends on what a function without body returns. */
#include <assert.h>
#include <pthread.h>

int measure(void);
int result;

void *work(void *arg) {
    result = measure();
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, work, 0);
    pthread_join(id, 0);
    assert(result < 3);
    return 0;
}
