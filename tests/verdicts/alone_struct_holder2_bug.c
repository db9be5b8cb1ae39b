// check --errors assertion: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct s { int *p; };
int *g;
void *t(void *a) { int *r = g; if (r) assert(*r == 1); return 0; }
int main(void) {
    pthread_t h;
    struct s s;
    pthread_create(&h, 0, t, 0);
    int *q = calloc(1, 4);
    if (!q) return 0;
    s.p = q;
    g = s.p;
    *q = 1;
    pthread_join(h, 0);
    return 0;
}
