// expect: assertion failed
/* The same without any cast: a union makes a pointer to bytes one to numbers. */
#include <assert.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

char buffer[100];
union {
    char *bytes;
    int *numbers;
} cursor;

int main(void) {
    int at = __VERIFIER_nondet_int();
    __VERIFIER_assume(at >= 0 && at < 90);
    buffer[1] = 7;
    cursor.bytes = buffer + at;
    assert(*cursor.numbers != 7);
    return 0;
}
