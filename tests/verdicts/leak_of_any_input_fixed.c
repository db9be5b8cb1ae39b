// check --errors leak: proved
// check --errors leak,memory: proved
/* The block is kept where the input has one value. */
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
static char *kept;

int main(void) {
    int id = __VERIFIER_nondet_int();
    if (id == 0xE5) {
        char *region = kept = malloc(16);
        if (!region)
            return 1;
    } else {
        kept = malloc(4);
    }
    return 0;
}
