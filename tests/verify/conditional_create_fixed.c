// expect: nothing
/* Whether the second thread exists depends on what the first has done. */
#include <assert.h>
#include <pthread.h>
int started, x;
void *second(void *arg) {
    x = 2;
    return 0;
}
void *first(void *arg) {
    started = 1;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    if (started) {
        pthread_create(&b, 0, second, 0);
        pthread_join(b, 0);
    }
    assert(x == 0 || started);
    return 0;
}
