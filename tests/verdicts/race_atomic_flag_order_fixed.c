// check --errors race: no-bug|proved
/* The release clear of the flag synchronizes with the acquire test-and-set that sees it clear. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int counter;

static void *worker(void *arg)
{
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
        ;
    counter++;
    atomic_flag_clear_explicit(&busy, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter;
}
