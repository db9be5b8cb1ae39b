// check --errors assertion: bug
/* A reader sees a copy that is half done, unless the copy is made in a section. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

char source[2] = {1, 1}, target[2];

void *copy(void *arg) {
    memcpy(target, source, 2);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, copy, 0);
    __VERIFIER_atomic_begin();
    int sum = target[0] + target[1];
    __VERIFIER_atomic_end();
    assert(sum != 1);
    return 0;
}
