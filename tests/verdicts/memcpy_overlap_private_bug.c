// check: bug
// says: memcpy() of memory that overlaps
/* Pointers that may be the same are no matter, as long as they are apart or equal. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct pair { int a, b; };

int main(void) {
    struct pair pairs[3] = {{1, 2}, {3, 4}, {5, 6}};
    char *to = (char *)pairs;
    char *from = to + 4;
    memcpy(to, to, sizeof(struct pair));
    memcpy(to, from, sizeof(struct pair));
    assert(pairs[1].b == 4);
    return 0;
}
