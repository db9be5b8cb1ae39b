// check --errors memory: bug
/* free() of an array of variable length. */
#include <stdlib.h>

int main(void) {
    int n = 3;
    int list[n];
    list[0] = 1;
    free(list);
    return 0;
}
