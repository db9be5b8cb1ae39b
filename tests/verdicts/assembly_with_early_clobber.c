// check --errors assertion: proved
/* With `&` it is in another register. What comes after `#` is a comment. */
#include <assert.h>

int main(void)
{
    int a, b = 2;
    __asm__("movl $1,%0 # one\n addl %1,%0" : "=&r"(a) : "r"(b));
    assert(a == 3);
    return 0;
}
