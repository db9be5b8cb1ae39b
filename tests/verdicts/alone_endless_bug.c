// check --errors assertion: bug
// check --errors assertion --schema ul --rounds 2: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int x;
void *t(void *a) { int own = 0; x = 1; while (1) { own++; } return 0; }
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    assert(x == 0);
    return 0;
}
