// check --errors race: bug
/* Both threads may have to stop after their accesses: main for what scanf() finds, the other one because u is 0. */
#include <pthread.h>
#include <stdio.h>
void __VERIFIER_assume(int);
int y;
unsigned u;
void *f(void *arg) {
    __VERIFIER_assume(u);
    return 0;
}
int main(void) {
    int l = 0;
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    u = y + 1;
    scanf("%d", &l);
    return 0;
}
