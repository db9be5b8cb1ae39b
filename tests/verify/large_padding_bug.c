// expect: assertion failed
/* Nobody writes the bytes between the members. */
#include <assert.h>
#include <string.h>

struct pair { char c; int i; char large[400]; };

int main(void) {
    struct pair pair;
    pair.c = 1;
    pair.i = 2;
    assert(((char *)&pair)[1] == 0);
    return 0;
}
