// check --errors assertion: bug
#include <assert.h>
#include <pthread.h>
unsigned x;
void *t(void *p) { x = 4294967295u; return 0; }
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    int u = *(int *)&x;
    assert(u != -1);
    pthread_join(h, 0);
    return 0;
}
