// check --errors no-race: proved
// check --errors memory: proved
/* An element beyond the end is read for nothing. */
#include <pthread.h>

int table[3], at;

void *move(void *arg) {
    at = 2;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, move, 0);
    table[at];
    pthread_join(id, 0);
    return 0;
}
