// check --rounds 3 --errors race: proved
// check: proved
/* Nothing is done in the branch, and its condition reads nothing shared. */
#include <pthread.h>

int ready;

void *look(void *arg) {
    if (arg) {
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
