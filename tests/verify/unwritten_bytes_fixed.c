// expect: nothing
/* memcmp() sees what memory holds that nobody wrote. */
#include <assert.h>
#include <string.h>

int main(void) {
    char left[4] = {0}, right[4] = {0};
    assert(memcmp(left, right, 4) == 0);
    return 0;
}
