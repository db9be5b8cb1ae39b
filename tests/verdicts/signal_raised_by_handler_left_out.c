// check --errors assertion: no-bug
// says: not followed beyond what is modelled of the library
/* A signal waits until its own handler has ended: what a handler raises is beyond what is modelled. */
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t count;

static void handler(int number)
{
    if (count++ == 0) {
        raise(SIGUSR1);
        assert(count == 2);
    }
}

int main(void)
{
    struct sigaction action = { .sa_handler = handler };
    sigaction(SIGUSR1, &action, 0);
    raise(SIGUSR1);
    return 0;
}
