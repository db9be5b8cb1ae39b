// check --errors assertion: unknown
// says: needs an address where nobody wrote one
/* A pointer that nobody wrote may be any address, by chance that of the variable. */
#include <assert.h>

int variable;

int main(void)
{
    int *pointer;
    assert(pointer != &variable);
    return 0;
}
