// check --errors assertion --schema lazy --rounds 3: bug
// check --errors assertion --schema lr --rounds 3: bug
#include <assert.h>
#include <pthread.h>
int y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t(void *a) { int own = 0; y = 1; assert(own); y = 0; return 0; }
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    if (y) pthread_mutex_unlock(&m);
    return 0;
}
