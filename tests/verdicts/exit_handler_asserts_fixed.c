// check --errors assertion: proved
/* Handlers run in reverse order, also after exit(); abort() and _Exit() skip them. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int state = 1;

void first(void) {
    state = 2;
}

void second(void) {
    assert(state == 1);
}

int main(void) {
    atexit(second);
    atexit(first);
    _Exit(0);
}
