// check --errors race: bug
/* The increment comes after the spin lock was released, so the two increments are not ordered. */
#include <pthread.h>

static pthread_spinlock_t spin;
static long hits;

static void *worker(void *arg)
{
    pthread_spin_lock(&spin);
    pthread_spin_unlock(&spin);
    hits++;
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
