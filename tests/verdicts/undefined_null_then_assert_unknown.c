// check --errors assertion: no-bug|unknown
// says: (--errors memory looks for that)
// check: bug
/* A null pointer is followed before the assertion: that no execution gets further proves nothing. */
#include <assert.h>
#include <pthread.h>

int value = 3, *pointer;

void *set(void *arg) {
    *pointer = 4;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, set, 0);
    pthread_join(id, 0);
    assert(value == 3);
    return 0;
}
