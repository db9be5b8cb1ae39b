// check --errors leak: bug
// check --errors leak,memory: bug
/* The block is lost only where the input has one value: the states do not try it. */
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
static char *kept;

int main(void) {
    int id = __VERIFIER_nondet_int();
    if (id == 0xE5) {
        char *region = malloc(16);
        if (!region)
            return 1;
    } else {
        kept = malloc(4);
    }
    return 0;
}
