// check --errors assertion: no-bug
// says: objects lie where one layout puts them
/* The local of the next call may lie where that of the last one lay. */
#include <assert.h>

int *last;

void call(void)
{
    int local;
    assert(last != &local);
    last = &local;
}

int main(void)
{
    call();
    call();
    return 0;
}
