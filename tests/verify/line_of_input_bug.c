// expect: assertion failed
/* fgets() gives a line with its end, or nothing. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[3] = "x";
    char *got = fgets(line, sizeof line, stdin);
    assert(got);
    assert(line[2] == 0);
    return 0;
}
