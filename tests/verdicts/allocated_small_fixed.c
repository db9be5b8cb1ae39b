// check --errors assertion,memory: proved
/* A small number of elements: the formula has them all, and knows where they end. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);

unsigned count;
char *list;
int x;

void *look(void *arg) {
    list[count - 1] = 3;
    x = 1;
    return 0;
}

void *other(void *arg) {
    x = 2;
    return 0;
}

int main(void) {
    pthread_t a, b;
    count = (__VERIFIER_nondet_uint() & 7) + 1;
    unsigned salt = __VERIFIER_nondet_uint();
    list = calloc(count, 1);
    pthread_create(&a, 0, look, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(list[count - 1] == 3 || salt * salt == 3);
    return 0;
}
