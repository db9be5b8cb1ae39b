// check --errors assertion --schema ul --rounds 2: bug
#include <assert.h>
#include <pthread.h>
int x, y;
void *t(void *a) { int own = 0; y = 1; x = 1; while (1) { own++; } return 0; }
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    assert(y == 0 || x == 0);
    return 0;
}
