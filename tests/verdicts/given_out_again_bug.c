// check --errors assertion: bug
// says: gets heap0.1 again
/* malloc() may give an address again after free(): the compare-and-swap takes the new block for the old one (ABA). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node { int value; };
static _Atomic(struct node *) top;
static atomic_int changes;

static void *look(void *arg) {
    struct node *seen = top;
    int before = changes;
    struct node *expected = seen;
    if (seen && atomic_compare_exchange_strong(&top, &expected, 0))
        assert(changes == before);
    return arg;
}

static void *exchange(void *arg) {
    struct node *old = atomic_exchange(&top, 0);
    if (!old)
        return arg;
    free(old);
    struct node *fresh = malloc(sizeof *fresh);
    changes = 1;
    top = fresh;
    return arg;
}

int main(void) {
    pthread_t a, b;
    top = malloc(sizeof(struct node));
    pthread_create(&a, 0, look, 0);
    pthread_create(&b, 0, exchange, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
