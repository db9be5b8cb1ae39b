// check --errors assertion: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int *g;
void *t(void *p) { int *r = g; if (r) assert(r[-1] == 0); return 0; }
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    int *p = malloc(8), *q = malloc(8);
    if (!p || !q) return 0;
    *p = 0;
    *q = 0;
    g = q + 1;
    *q = 1;
    *q = 0;
    pthread_join(h, 0);
    return *p;
}
