// check --errors assertion: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
unsigned x;
void *t(void *p) { x = 1; assert(x - x == 0); x = 2; return 0; }
int main(void) {
    pthread_t h;
    int i = 0;
again:
    pthread_create(&h, 0, t, 0);
    if (++i < 2) goto again;
    pthread_join(h, 0);
    return 0;
}
