// check --rounds 3 --errors race: bug
// check --errors race: bug
/* The section always ends the process, after it has looked. */
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int level;

void *watch(void *arg) {
    __VERIFIER_atomic_begin();
    if (level <= 1)
        abort();
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, watch, 0);
    level++;
    return 0;
}
