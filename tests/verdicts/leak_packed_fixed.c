// check --errors leak: proved
/* The pointer lies at an odd address. */
#include <stdlib.h>

static struct __attribute__((packed)) {
    char tag;
    int *block;
} kept;

int main(void) {
    kept.block = malloc(4);
    return 0;
}
