// check: bug
/* The addresses are compared byte by byte. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    int *old = malloc(4), *new;
    free(old);
    new = malloc(4);
    assert(memcmp(&old, &new, sizeof old) != 0);
    free(new);
    return 0;
}
