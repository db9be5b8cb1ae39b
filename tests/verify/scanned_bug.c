// expect: assertion failed
/* What is read from outside may be anything, or nothing. */
#include <assert.h>
#include <stdio.h>

int main(void) {
    int number = 5;
    int count = scanf("%d", &number);
    assert(count != 1 || number != 1);
    return 0;
}
