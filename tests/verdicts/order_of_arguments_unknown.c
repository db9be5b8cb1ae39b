// check --errors assertion: proved|no-bug|bug|unknown
// says: order of evaluation
/* Which argument is evaluated first is not specified: gcc begins with the last. */
#include <assert.h>
#include <pthread.h>

int number;

int next(void) {
    return ++number;
}

int difference(int a, int b) {
    return a - b;
}

void *work(void *arg) {
    assert(difference(next(), next()) == -1);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, work, 0);
    pthread_join(id, 0);
    return 0;
}
