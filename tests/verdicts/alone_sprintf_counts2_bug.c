// check --errors assertion: bug
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
int n, done;
void *t(void *p) { done = 1; printf("ab%n", &n); return 0; }
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    int d = done;
    int m = n;
    assert(!(d == 1 && m == 0));
    return 0;
}
