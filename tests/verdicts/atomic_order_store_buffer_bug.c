// check --errors assertion: bug
/* Under sequential consistency one of two sees the other, but only if both look after they wrote. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int missed_x, missed_y;

void *other(void *arg) {
    missed_x = !x, y = 1;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, other, 0);
    x = 1, missed_y = !y;
    pthread_join(id, 0);
    assert(!(missed_x && missed_y));
    return 0;
}
