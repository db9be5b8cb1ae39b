// check: no-bug
/* The addresses are compared as numbers, through pointers to another type. Both are there; but where they lie is only one of many ways. */
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *old = malloc(4), *new;
    new = malloc(4);
    assert(*(unsigned long *)&old != *(unsigned long *)&new);
    free(old);
    free(new);
    return 0;
}
