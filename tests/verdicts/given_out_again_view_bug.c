// check: bug
/* The addresses are compared as numbers, through pointers to another type. */
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *old = malloc(4), *new;
    free(old);
    new = malloc(4);
    assert(*(unsigned long *)&old != *(unsigned long *)&new);
    free(new);
    return 0;
}
