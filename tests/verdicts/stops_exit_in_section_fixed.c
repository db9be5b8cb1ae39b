// check --errors assertion: proved
/* exit() in an atomic section ends all threads, which had time before it. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int goodbye;

void *leave(void *arg) {
    __VERIFIER_atomic_begin();
    goodbye = 1;
    exit(0);
    __VERIFIER_atomic_end();
    return 0;
}

void *look(void *arg) {
    assert(goodbye == 0);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, leave, 0);
    pthread_create(&b, 0, look, 0);
    pthread_join(a, 0);
    return 0;
}
