// check: no-bug
// says: allocations are followed up to
/* As many elements as the world says, filled by another thread. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);

unsigned count;
int *list;

void *fill(void *arg) {
    for (unsigned i = 0; i < count; i++)
        list[i] = 7;
    return 0;
}

int main(void) {
    pthread_t thread;
    count = __VERIFIER_nondet_uint();
    if (count == 0 || count > 1000000)
        return 0;
    list = malloc(count * sizeof *list);
    pthread_create(&thread, 0, fill, 0);
    pthread_join(thread, 0);
    assert(list[count - 1] == 7);
    free(list);
    return 0;
}
