// check --errors no-race: proved
// check --errors division: proved
/* A quotient that nobody uses is computed all the same. */
#include <pthread.h>

int divisor = 1;

void *clear(void *arg) {
    divisor = 2;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, clear, 0);
    100 / divisor;
    pthread_join(id, 0);
    return 0;
}
