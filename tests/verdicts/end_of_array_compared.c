// check --errors assertion: no-bug
// says: objects lie where one layout puts them
/* An array may end where another one begins (C11 6.5.9). */
#include <assert.h>

int first[2], second[2];

int main(void)
{
    int *end = first + 2, *begin = second;
    assert(end != begin);
    return 0;
}
