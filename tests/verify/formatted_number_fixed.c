// expect: nothing
/* Fails before any thread takes a step, and formulas do not know sprintf(). */
#include <assert.h>
#include <stdio.h>

int main(void) {
    char text[9];
    sprintf(text, "%d", 5);
    assert(text[0] == '5');
    return 0;
}
