// check --errors assertion --schema lazy --rounds 2: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int x;
void *t(void *p) { int own = x; x = 1; int q = own / 0; x = 0; return (void *)(long)q; }
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    assert(x == 0);
    return 0;
}
