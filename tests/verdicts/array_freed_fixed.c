// check --errors memory: proved
/* The same from malloc(). */
#include <stdlib.h>

int main(void) {
    int n = 3;
    int *list = malloc(n * sizeof *list);
    list[0] = 1;
    free(list);
    return 0;
}
