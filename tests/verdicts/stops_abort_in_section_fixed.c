// check --errors assertion: proved
// check --errors abort: bug
/* abort() in an atomic section: nobody sees the section, but everybody what came before. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int early, late;

void *crash(void *arg) {
    early = 1;
    __VERIFIER_atomic_begin();
    late = 1;
    abort();
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, crash, 0);
    assert(!late);
    return 0;
}
