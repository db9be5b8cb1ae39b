// check --errors assertion: proved
/* No pointer is moved beyond the last element. */
#include <assert.h>

struct { int values[2]; int last; } first;
int second[2];
int *global = &first.values[1];

int main(void)
{
    int *element = &second[1];
    assert(element != global && element != &first.last && &second[0] != global);
    return 0;
}
