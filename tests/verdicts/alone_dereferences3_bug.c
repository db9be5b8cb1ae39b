// check --errors assertion --schema lazy --rounds 2: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int x, *g;
void *t(void *p) { int *own = g; x = 1; *own = 2; x = 0; return 0; }
int main(void) {
    pthread_t h;
    if (x) g = malloc(4);
    pthread_create(&h, 0, t, 0);
    assert(x == 0);
    return 0;
}
