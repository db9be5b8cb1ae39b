// check: bug
/* The addresses are compared as numbers, by another member of a union. */
#include <assert.h>
#include <stdlib.h>

union both { int *pointer; unsigned long number; };

int main(void) {
    union both old, new;
    old.pointer = malloc(4);
    free(old.pointer);
    new.pointer = malloc(4);
    assert(old.number != new.number);
    free(new.pointer);
    return 0;
}
