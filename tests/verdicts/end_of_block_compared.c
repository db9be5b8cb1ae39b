// check --errors assertion: no-bug
// says: objects lie where one layout puts them
/* A block of memory may begin where another one ends. */
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *first = malloc(8), *second = malloc(8);
    int *end = first + 2;
    assert(end != second);
    return 0;
}
