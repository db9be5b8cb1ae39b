// check --errors assertion: proved
/* Writing one bit-field leaves its neighbour as it was: unknown. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct bits {
    unsigned low : 5, high : 11;
};

void *work(void *arg) {
    struct bits *b = malloc(sizeof *b);
    b->low = 3;
    b->high = 4;
    unsigned got = b->high;
    free(b);
    assert(got != 1234);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, work, 0);
    pthread_join(id, 0);
    return 0;
}
