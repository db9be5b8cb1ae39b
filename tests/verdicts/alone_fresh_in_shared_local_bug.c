// check --errors assertion: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
void *t(void *a) { int *r = *(int **)a; if (r) assert(*r == 0); return 0; }
int main(void) {
    pthread_t h;
    int *shared = 0;
    pthread_create(&h, 0, t, &shared);
    int *q = malloc(4);
    if (!q) return 0;
    *q = 0;
    shared = q;
    *q = 1;
    *q = 0;
    pthread_join(h, 0);
    return 0;
}
