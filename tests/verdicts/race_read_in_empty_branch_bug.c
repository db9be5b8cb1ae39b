// check --rounds 3 --errors race: bug
// check: bug
// says: data race on ready
/* Nothing is done in the branch, but its condition reads. */
#include <pthread.h>

int ready;

void *look(void *arg) {
    if (ready) {
    }
    return 0;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, look, 0);
    ready = 1;
    pthread_join(other, 0);
    return 0;
}
