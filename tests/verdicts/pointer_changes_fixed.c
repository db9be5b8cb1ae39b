// check --errors no-race: no-bug|proved
// check --errors assertion: no-bug|proved
/* A pointer to a function changes between two calls: the call itself is a step. One target takes an input. */
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int first, second;
static int seven(void) { return 7; }
static int eight(void) { return 8; }
int (*chosen)(void) = seven;
void *change(void *arg) {
    chosen = arg ? eight : __VERIFIER_nondet_int;
    return 0;
}
int main(void) {
    pthread_t changing, again;
    pthread_create(&changing, 0, change, &second);
    pthread_create(&again, 0, change, &first);
    first = chosen();
    second = chosen();
    assert(!(first == 8 && second == 12345));
    return 0;
}
