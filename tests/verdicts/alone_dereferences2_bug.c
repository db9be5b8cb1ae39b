// check --errors assertion --schema lazy --rounds 2: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int x, *g;
int sum;
void *t(void *p) { int *own = g; x = 1; sum = *own; x = 0; return 0; }
int main(void) {
    pthread_t h;
    if (x) g = &sum;
    pthread_create(&h, 0, t, 0);
    assert(x == 0);
    return 0;
}
