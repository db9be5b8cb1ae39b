// expect: assertion failed
/* The thread can see x before main returns and ends it. */
#include <assert.h>
#include <pthread.h>
int x;
void *work(void *p) { assert(x == 0); return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    x = 1;
    return 0;
}
