// check --errors race: bug
/* The flag is cleared before the increment, so the other thread can enter while the increment is still to come. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int counter;

static void *worker(void *arg)
{
    while (atomic_flag_test_and_set(&busy))
        ;
    atomic_flag_clear(&busy);
    counter++;
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
