// check --32: no-bug
/* Only small blocks are given out where others were: nothing is proved about larger ones. */
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *small = malloc(4), *large;
    free(small);
    large = malloc(400);
    assert(small != large);
    free(large);
    return 0;
}
