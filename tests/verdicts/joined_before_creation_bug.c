// check: bug
// check --errors thread: bug
/* Whether there is a thread to join depends on who is faster. */
#include <pthread.h>

pthread_t inner;

void *nothing(void *arg) {
    return 0;
}

void *creator(void *arg) {
    pthread_create(&inner, 0, nothing, 0);
    return 0;
}

int main(void) {
    pthread_t outer;
    pthread_create(&outer, 0, creator, 0);
    pthread_join(inner, 0);
    pthread_join(outer, 0);
    return 0;
}
