// check --errors assertion: bug
// says: assembly()
/* Without `&` the output may be in the register of the input, which is read after it was written. */
#include <assert.h>

int main(void)
{
    int a, b = 2;
    __asm__("movl $1,%0; addl %1,%0" : "=r"(a) : "r"(b));
    assert(a == 3);
    return 0;
}
