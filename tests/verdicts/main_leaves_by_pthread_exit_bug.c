// check --errors assertion: bug
/* After pthread_exit() of main the other threads go on; after return they do not. */
#include <assert.h>
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int left;

void *stay(void *arg) {
    assert(left == 0);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, stay, 0);
    left = 1, pthread_exit(0);
}
