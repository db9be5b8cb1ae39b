// check --errors assertion: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int x;
void *one(void *p) { x = 1; return 0; }
void *two(void *p) { return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(b, 0);
    int r = x;
    assert(r == x);
    return 0;
}
