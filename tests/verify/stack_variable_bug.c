// expect: assertion failed
/* All threads get the address of one loop variable. */
#include <assert.h>
#include <pthread.h>
int seen[3];
void *work(void *p) { seen[*(int *)p]++; return 0; }
int main(void) {
    pthread_t t[2];
    int i;
    for (i = 0; i < 2; i++) pthread_create(&t[i], 0, work, &i);
    for (int k = 0; k < 2; k++) pthread_join(t[k], 0);
    assert(seen[0] == 1 && seen[1] == 1);
    return 0;
}
