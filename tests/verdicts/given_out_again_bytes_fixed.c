// check: no-bug
/* The addresses are compared byte by byte. Both are there; but where they lie is only one of many ways. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    int *old = malloc(4), *new;
    new = malloc(4);
    assert(memcmp(&old, &new, sizeof old) != 0);
    free(old);
    free(new);
    return 0;
}
