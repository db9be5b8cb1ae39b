// check --errors assertion --schema lazy --rounds 2: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int x;
pthread_mutex_t *g;
void *t(void *p) { pthread_mutex_t *own = g; x = 1; pthread_mutex_unlock(own); x = 0; return 0; }
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    assert(x == 0);
    return 0;
}
