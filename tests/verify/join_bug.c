// expect: assertion failed
#include <assert.h>
#include <pthread.h>
int done;
void *work(void *p) { done = 1; return 0; }
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    assert(done);
    pthread_join(a, 0);
    return 0;
}
