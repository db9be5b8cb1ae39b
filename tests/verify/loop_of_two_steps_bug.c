// expect: assertion failed
/* A switch between the two writes of the second iteration. */
#include <assert.h>
#include <pthread.h>
int first, second;
void *both(void *arg) {
    for (int i = 0; i < 2; i++) {
        first = i;
        second = i;
    }
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, both, 0);
    assert(first != 1 || second != 0);
    return 0;
}
