// check --errors assertion: proved|no-bug
/* Which of two variables has the lower address is up to the compiler. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

int left, right;
uintptr_t a, b;

void *note(void *arg) {
    a = (uintptr_t)&left;
    b = (uintptr_t)&right;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, note, 0);
    pthread_join(id, 0);
    assert(a != b);
    return 0;
}
