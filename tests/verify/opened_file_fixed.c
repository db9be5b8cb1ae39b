// expect: nothing
/* fopen() may fail, and what it gives twice are two streams. */
#include <assert.h>
#include <stdio.h>

int main(void) {
    FILE *a = fopen("a", "r"), *b = fopen("b", "w");
    if (!a || !b) return 0;
    assert(a != b);
    return 0;
}
