// check --errors assertion: bug
#include <assert.h>
#include <pthread.h>
union { int w; unsigned char b[4]; } u;
void *t(void *p) { u.b[3] = 255; return 0; }
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    pthread_join(h, 0);
    assert(u.w >= 0);
    return 0;
}
