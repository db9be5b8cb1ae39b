// expect: nothing
/* Writing a bit-field gives its neighbour no value. */
#include <assert.h>
#include <stdlib.h>

struct flags { unsigned b : 5, a : 3; };

int main(void) {
    struct flags *flags = calloc(1, sizeof *flags);
    flags->a = 1;
    assert(flags->b == 0);
    return 0;
}
