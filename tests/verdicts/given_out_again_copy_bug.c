// check: bug
/* The addresses are compared as numbers that they were copied to. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    unsigned long before, after;
    int *old = malloc(4), *new;
    memcpy(&before, &old, sizeof before);
    free(old);
    new = malloc(4);
    memcpy(&after, &new, sizeof after);
    assert(before != after);
    free(new);
    return 0;
}
