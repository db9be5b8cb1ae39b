// check --errors assertion --memory-model tso: proved
// check --errors assertion --memory-model pso: proved
// check --errors assertion --memory-model pso --unwind 1 --rounds 4: no-bug|proved
/* Whoever takes a lock has all its stores in memory, even if nobody else uses that lock. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t of_first = PTHREAD_MUTEX_INITIALIZER, of_second = PTHREAD_MUTEX_INITIALIZER;
static int x, y, seen_by_first, seen_by_second;

static void *first(void *arg)
{
    x = 1;
    pthread_mutex_lock(&of_first);
    seen_by_first = y;
    pthread_mutex_unlock(&of_first);
    return 0;
}

static void *second(void *arg)
{
    y = 1;
    pthread_mutex_lock(&of_second);
    seen_by_second = x;
    pthread_mutex_unlock(&of_second);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(!(seen_by_first == 0 && seen_by_second == 0));
    return 0;
}
