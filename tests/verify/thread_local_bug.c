// expect: assertion failed
#include <assert.h>
#include <pthread.h>
int mine;
void *work(void *p) { mine = *(int *)p; assert(mine == *(int *)p); return 0; }
int main(void) {
    pthread_t a, b;
    int one = 1, two = 2;
    pthread_create(&a, 0, work, &one);
    pthread_create(&b, 0, work, &two);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
