// check --errors memory --unwind 4: no-bug
// says: what is copied or set is followed up to
/* As many bytes are copied as both blocks have. */
#include <stdlib.h>
#include <string.h>

unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned room = __VERIFIER_nondet_uint();
    if (room == 0 || room > 4000)
        return 0;
    unsigned count = __VERIFIER_nondet_uint();
    if (count > room)
        return 0;
    char *from = malloc(room), *to = malloc(room);
    memset(from, 1, room);
    memcpy(to, from, count);
    free(from);
    free(to);
    return 0;
}
