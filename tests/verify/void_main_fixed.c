// expect: nothing
/* The end of main is a step of its own, even of one that returns nothing. */
#include <assert.h>
#include <pthread.h>
int x;
void *work(void *p) { assert(x == 0); return 0; }
void main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    x = 1;
}
