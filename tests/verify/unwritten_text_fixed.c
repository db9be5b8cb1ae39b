// expect: nothing
/* sprintf() copies what memory holds that nobody wrote. */
#include <assert.h>
#include <stdio.h>

int main(void) {
    char text[4] = {0};
    char copy[4];
    sprintf(copy, "%s", text);
    assert(copy[0] == 0);
    return 0;
}
