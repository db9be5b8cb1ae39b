// check --errors assertion: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int x, *gp;
void *t(void *p) { assert(x == 0); return 0; }
int main(void) {
    pthread_t h;
    gp = &x;
    pthread_create(&h, 0, t, 0);
    int *p = malloc(4);
    if (!p) return 0;
    *p = 0;
    p = gp;
    *p = 1;
    *p = 0;
    pthread_join(h, 0);
    return 0;
}
