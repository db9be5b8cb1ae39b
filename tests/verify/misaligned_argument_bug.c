// expect: assertion failed
/* A thread is handed any byte of a buffer, and reads a number there. */
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

char buffer[100];

void *look(void *where) {
    int number = *(int *)where;
    assert(number != 7);
    return 0;
}

int main(void) {
    pthread_t t;
    int at = __VERIFIER_nondet_int();
    __VERIFIER_assume(at >= 0 && at < 90);
    buffer[1] = 7;
    pthread_create(&t, 0, look, buffer + at);
    pthread_join(t, 0);
    return 0;
}
