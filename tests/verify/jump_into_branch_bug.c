// expect: assertion failed
/* A jump from one branch of a condition into the other: what is taken there counts. */
#include <assert.h>
#include <pthread.h>

int x, y;

void *thread(void *argument) {
    int value = 0;
    if (x == 0) {
        value = 1;
        goto inside;
    } else {
        value = 2;
    inside:
        value = value + 10;
    }
    y = value;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, thread, 0);
    x = 1;
    pthread_join(id, 0);
    assert(y == 12);
    return 0;
}
