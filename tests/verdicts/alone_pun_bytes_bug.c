// check --errors assertion -D BYTE: bug
#include <assert.h>
#include <pthread.h>
union { unsigned w; unsigned char b[4]; short s[2]; } u;
void *t(void *p) { u.w = 0x80fe9234u; return 0; }
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    pthread_join(h, 0);
#ifdef BYTE
    assert(u.b[1] != 0x92);
#elif defined(SHORT)
    assert(u.s[0] != (short)0x9234);
#else
    assert(u.w != 0x80fe9234u);
#endif
    return 0;
}
