// expect: nothing
/* Each thread raises its own flag and looks at the other's, so that at most one should find it down. But a store may wait in
 * the buffer of its processor while the load after it goes ahead (store buffering). Check it with --memory-model tso; with
 * -D FENCE there is a fence in between. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int mine, yours;
static int alone_first, alone_second;

#ifdef FENCE
#define FLUSH() atomic_thread_fence(memory_order_seq_cst)
#else
#define FLUSH() (void)0
#endif

static void *first(void *arg)
{
    atomic_store_explicit(&mine, 1, memory_order_relaxed);
    FLUSH();
    alone_first = !atomic_load_explicit(&yours, memory_order_relaxed);
    return 0;
}

static void *second(void *arg)
{
    atomic_store_explicit(&yours, 1, memory_order_relaxed);
    FLUSH();
    alone_second = !atomic_load_explicit(&mine, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(!(alone_first && alone_second));
    return 0;
}
