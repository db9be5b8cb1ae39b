// check --errors assertion: bug
#include <assert.h>
#include <pthread.h>
int x;
void *t(void *p) { x = -1; return 0; }
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    unsigned u = *(unsigned *)&x;
    assert(u != 4294967295u);
    pthread_join(h, 0);
    return 0;
}
