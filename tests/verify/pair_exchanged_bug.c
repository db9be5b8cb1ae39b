// expect: assertion failed
/* Two words are changed one after the other: who looks in between sees one of them without the other. */
#include <assert.h>
#include <pthread.h>

struct pair {
    long value, version;
} __attribute__((aligned(16)));

static struct pair shared;

static void *change(void *arg)
{
    struct pair seen = { 0, 0 }, next = { 7, 1 };
    seen = next;
    __atomic_store_n(&shared.value, seen.value, __ATOMIC_SEQ_CST);
    __atomic_store_n(&shared.version, seen.version, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void)
{
    pthread_t a;
    struct pair seen = { 0, 0 }, next = { 0, 0 };
    pthread_create(&a, NULL, change, NULL);
    if (!__atomic_compare_exchange(&shared, &seen, &next, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        assert(seen.value == 7 && seen.version == 1);
    pthread_join(a, NULL);
    assert(shared.version == 1);
    return 0;
}
