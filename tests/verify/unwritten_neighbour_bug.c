// expect: assertion failed
/* Writing a bit-field gives its neighbour no value. */
#include <assert.h>
#include <stdlib.h>

struct flags { unsigned a : 3, b : 5; };

int main(void) {
    struct flags *flags = malloc(sizeof *flags);
    flags->a = 1;
    assert(flags->b == 0);
    return 0;
}
