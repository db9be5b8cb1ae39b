// check --errors assertion --unwind 4: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int y, s = 5, g_ran, f_first;
void f(void) { if (!g_ran) f_first = 1; }
void g(void) { g_ran = 1; }
void check(void) { assert(!(s == 0 && f_first && g_ran)); }
void *t(void *a) { int r = y; atexit(f); s = r; return 0; }
int main(void) {
    pthread_t h;
    atexit(check);
    pthread_create(&h, 0, t, 0);
    y = 1;
    atexit(g);
    pthread_join(h, 0);
    return 0;
}
