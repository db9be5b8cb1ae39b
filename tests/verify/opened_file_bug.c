// expect: assertion failed
/* fopen() may fail, and what it gives twice are two streams. */
#include <assert.h>
#include <stdio.h>

int main(void) {
    FILE *a = fopen("a", "r"), *b = fopen("b", "w");
    assert(a != b);
    return 0;
}
