// check --errors race: proved
/* Each thread spins until it set the flag itself, and clears it only after its increment. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int counter;

static void *worker(void *arg)
{
    while (atomic_flag_test_and_set(&busy))
        ;
    counter++;
    atomic_flag_clear(&busy);
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
