// check --errors assertion: no-bug
// says: objects lie where one layout puts them
/* One past the end of a variable another one may begin (C11 6.5.9), as for arrays. */
#include <assert.h>

int first, second;

int main(void)
{
    int *end = &first + 1, *begin = &second;
    assert(end != begin);
    return 0;
}
