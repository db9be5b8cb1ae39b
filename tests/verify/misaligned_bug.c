// expect: assertion failed
/* A number is read from a buffer at any byte. */
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

char buffer[100];

void *fill(void *arg) {
    buffer[1] = 7;
    return 0;
}

int main(void) {
    pthread_t t;
    int at = __VERIFIER_nondet_int();
    __VERIFIER_assume(at >= 0 && at < 90);
    pthread_create(&t, 0, fill, 0);
    int number = *(int *)(buffer + at);
    assert(number != 7);
    pthread_join(t, 0);
    return 0;
}
