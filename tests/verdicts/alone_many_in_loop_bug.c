// check --errors assertion: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
unsigned x;
void *t(void *p) { x = 1; assert(x - x == 0); x = 2; return 0; }
int main(void) {
    pthread_t h[2];
    for (int i = 0; i < 2; i++) pthread_create(&h[i], 0, t, 0);
    return 0;
}
