// check --errors assertion: bug|no-bug|unknown
/* memcpy() of overlapping memory is undefined, memmove() is there for that. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

char text[5] = "abcd";

void *shift(void *arg) {
    memcpy(text + 1, text, 3);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, shift, 0);
    pthread_join(id, 0);
    assert(text[3] == 'c');
    return 0;
}
