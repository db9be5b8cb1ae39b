// check --errors assertion: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
unsigned x;
void *t(void *p) { x = 1; assert(x - x == 0); x = 2; return 0; }
pthread_t h;
void start(void) { pthread_create(&h, 0, t, 0); }
int main(void) {
    for (int i = 0; i < 2; i++) start();
    pthread_join(h, 0);
    return 0;
}
