// expect: assertion failed
/* memcmp() sees what memory holds that nobody wrote. */
#include <assert.h>
#include <string.h>

int main(void) {
    char left[4], right[4];
    assert(memcmp(left, right, 4) == 0);
    return 0;
}
