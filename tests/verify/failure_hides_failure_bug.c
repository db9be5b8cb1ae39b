// expect: division by zero, assertion failed
/* Before the first thread divides by zero, the second can see its x. Both failures are found. */
#include <assert.h>
#include <pthread.h>
int x;
void *divide(void *p) { x = 1; int zero = 0; return (void *)(long)(1 / zero); }
void *look(void *p) { assert(x == 0); return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, divide, 0);
    pthread_create(&b, 0, look, 0);
    pthread_join(b, 0);
    return 0;
}
