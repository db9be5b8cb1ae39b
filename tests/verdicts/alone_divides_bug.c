// check --errors assertion --schema lazy --rounds 2: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int x, z;
void *t(void *p) { int own = 0; own = x; x = 1; int q = 7 / own; x = 0; return (void *)(long)q; }
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    assert(x == 0);
    return 0;
}
