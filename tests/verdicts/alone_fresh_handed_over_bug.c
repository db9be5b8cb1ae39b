// check --errors assertion: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
void *t(void *p) { assert(*(int *)p == 0); return 0; }
int main(void) {
    pthread_t h;
    int *p = malloc(4);
    if (!p) return 0;
    *p = 0;
    pthread_create(&h, 0, t, p);
    *p = 1;
    *p = 0;
    pthread_join(h, 0);
    return 0;
}
