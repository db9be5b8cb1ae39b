// expect: assertion failed
/* A local of a second call does not hold what the first call left. */
#include <assert.h>
#include <pthread.h>

int x;

int f(int set) {
    char buffer[100];
    if (set) {
        buffer[1] = 1;
        return buffer[1];
    }
    ;
    return buffer[1];
}

void *thread(void *argument) {
    x = f(1);
    x = f(0);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, thread, 0);
    pthread_join(id, 0);
    assert(x == 1);
    return 0;
}
