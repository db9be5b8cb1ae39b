// check --rounds 3 --errors race: proved
// check --errors race: proved
/* The section ends the process, after its write; whoever reads is in a section as well. */
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int last;

void *finish(void *arg) {
    __VERIFIER_atomic_begin();
    last = 1;
    if (last == 1)
        exit(0);
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, finish, 0);
    __VERIFIER_atomic_begin();
    int seen = last;
    __VERIFIER_atomic_end();
    pthread_join(other, 0);
    return seen;
}
