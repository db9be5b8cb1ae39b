// expect: assertion failed
/* getline() allocates what the line needs, and the end of the input is no line. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *line = 0;
    size_t size = 0;
    long n = getline(&line, &size, stdin);
    assert(n > 0);
    if (n > 0) assert(line && size > (size_t)n && line[n] == 0);
    free(line);
    return 0;
}
