// check --errors assertion: bug
/* difftime() subtracts. */
#include <assert.h>
#include <pthread.h>
#include <time.h>

time_t end = 100;

void *extend(void *arg) {
    end = 160;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, extend, 0);
    pthread_join(id, 0);
    assert(difftime(end, 100) == 0);
    return 0;
}
