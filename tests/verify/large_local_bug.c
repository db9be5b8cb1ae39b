// expect: assertion failed
/* A large local that nobody initialized holds any value, also with loops kept. */
#include <assert.h>
#include <pthread.h>
int x;
void *fill(void *arg) {
    char large[200];
    large[3] = 1;
    x = large[3] + (large[199] == 1);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, fill, 0);
    pthread_join(t, 0);
    assert(x == 1);
    return 0;
}
