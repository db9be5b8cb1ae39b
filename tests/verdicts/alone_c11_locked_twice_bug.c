// check --errors assertion: bug
#include <assert.h>
#include <threads.h>
int x;
mtx_t m;
int t(void *a) { mtx_lock(&m); x = 1; mtx_lock(&m); x = 0; return 0; }
int main(void) {
    thrd_t h;
    mtx_init(&m, mtx_plain);
    thrd_create(&h, t, 0);
    assert(x == 0);
    return 0;
}
