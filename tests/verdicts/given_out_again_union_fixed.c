// check: no-bug
/* The addresses are compared as numbers, by another member of a union. Both are there; but where they lie is only one of many ways. */
#include <assert.h>
#include <stdlib.h>

union both { int *pointer; unsigned long number; };

int main(void) {
    union both old, new;
    old.pointer = malloc(4);
    new.pointer = malloc(4);
    assert(old.number != new.number);
    free(old.pointer);
    free(new.pointer);
    return 0;
}
