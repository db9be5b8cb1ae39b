// check --errors assertion: no-bug
// says: objects lie where one layout puts them
/* The end of an array, known before the program begins. */
#include <assert.h>

int first[2], second[2];
int *end = first + 2;

int main(void)
{
    int *begin = &second[0];
    assert(end != begin);
    return 0;
}
