// check --errors memory: bug
/* One byte more is copied than there is room for. */
#include <stdlib.h>
#include <string.h>

unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned room = __VERIFIER_nondet_uint();
    if (room == 0 || room > 4000)
        return 0;
    unsigned count = __VERIFIER_nondet_uint();
    if (count > room + 1)
        return 0;
    char *from = malloc(room), *to = malloc(room);
    memset(from, 1, room);
    memcpy(to, from, count);
    free(from);
    free(to);
    return 0;
}
