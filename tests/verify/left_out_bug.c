// expect: assertion failed
/* What is left of a condition when one of its branches can never do anything. */
#include <assert.h>
#include <pthread.h>

int x, y, never[3], unused;
_Bool __VERIFIER_nondet_bool(void);

void *thread(void *arg) {
    y++;
    int input = __VERIFIER_nondet_bool();
    if (input) {
        if (never[2] == 1) unused++;
    } else {
        y = input;
    }
    x++;
    y = unused;
    return 0;
}

int main(void) {
    pthread_t t;
    y = 1;
    pthread_create(&t, 0, thread, 0);
    assert(x + y < 2);
    pthread_join(t, 0);
    return 0;
}
