// expect: undefined use of memory, assertion failed
/* The thread may use the local while its function still runs, or too late. Both orders are followed. */
#include <assert.h>
#include <pthread.h>
pthread_t t;
int x;
void *work(void *p) { *(int *)p = 5; x = 1; return 0; }
void start(void) { int local; pthread_create(&t, 0, work, &local); }
int main(void) {
    start();
    pthread_join(t, 0);
    assert(x != 1);
    return 0;
}
