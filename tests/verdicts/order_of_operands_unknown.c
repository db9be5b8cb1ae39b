// check --errors assertion: proved|no-bug|bug|unknown
// says: order of evaluation
/* Neither is which operand of a sum is read first. */
#include <assert.h>
#include <pthread.h>

int first, second;

void *write_both(void *arg) {
    first = 1;
    second = 1;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, write_both, 0);
    int lead = second - first;
    assert(lead <= 0);
    return 0;
}
