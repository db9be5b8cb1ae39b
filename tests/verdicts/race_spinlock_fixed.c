// check --errors race: proved
/* The increment is made while the spin lock is held. */
#include <pthread.h>

static pthread_spinlock_t spin;
static long hits;

static void *worker(void *arg)
{
    pthread_spin_lock(&spin);
    hits++;
    pthread_spin_unlock(&spin);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_spin_destroy(&spin);
    return 0;
}
