// check --errors memory: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int *p;
void *t(void *a) { free(p); return 0; }
int main(void) {
    pthread_t h;
    p = malloc(8);
    if (!p) return 0;
    p[0] = p[1] = 0;
    pthread_create(&h, 0, t, 0);
    p[1] = 3;
    pthread_join(h, 0);
    return 0;
}
