// expect: assertion failed
/* What was registered with atexit() runs when main returns. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int x;

void at_end(void) { assert(x == 0); }

void *set(void *arg) {
    x = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    atexit(at_end);
    pthread_create(&thread, 0, set, 0);
    
    return 0;
}
