// check --errors assertion: no-bug
// says: objects lie where one layout puts them
/* Equal string literals may be one object (C11 6.4.5). */
#include <assert.h>

const char *first = "name", *second = "name";

int main(void)
{
    assert(first != second);
    return 0;
}
