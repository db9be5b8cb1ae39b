// check --errors leak: bug
/* The only pointer is overwritten. */
#include <stdlib.h>

static struct __attribute__((packed)) {
    char tag;
    int *block;
} kept;

int main(void) {
    kept.block = malloc(4);
    kept.block = 0;
    return 0;
}
