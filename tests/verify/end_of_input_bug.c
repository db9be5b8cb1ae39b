// expect: assertion failed
/* The input may end before anything was read, and scanf() tells it with a negative number. */
#include <assert.h>
#include <stdio.h>

int main(void) {
    int number = 5;
    int count = scanf("%d", &number);
    assert(count >= 0);
    assert(count != 0 || number == 5);
    return 0;
}
