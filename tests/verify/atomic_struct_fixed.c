// expect: nothing
/* An atomic struct is read and written as a whole. */
#include <assert.h>
#include <pthread.h>
struct pair { int a, b; };
_Atomic struct pair shared;
void *work(void *p) { struct pair both = {1, 1}; shared = both; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    struct pair seen = shared;
    assert(seen.a == seen.b);
    pthread_join(t, 0);
    return 0;
}
