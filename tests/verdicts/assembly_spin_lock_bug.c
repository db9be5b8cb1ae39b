// check --errors assertion: bug
/* A spin lock made of a load and a store, between which another thread may come, and of a compare-and-swap. */
#include <assert.h>
#include <pthread.h>

static int busy, inside;

static void take(void)
{
    int old = 1;
    do {
        old = 1;
        __asm__ __volatile__("movl %0, %1; movl $1, %0" : "+m"(busy), "=&q"(old) : : "memory");
    } while (old);
}

static void take_otherwise(void)
{
    unsigned char done;
    int expected;
    do {
        expected = 0;
        __asm__ __volatile__("lock; cmpxchgl %3, %0; setz %1"
                             : "+m"(busy), "=q"(done), "+a"(expected)
                             : "q"(1)
                             : "memory", "cc");
    } while (!done);
}

static void give(void)
{
    __asm__ __volatile__("movl %1, %0" : "=m"(busy) : "q"(0) : "memory");
}

static void *work(void *arg)
{
    take();
    inside++;
    assert(inside == 1);
    inside--;
    give();
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    take_otherwise();
    inside++;
    assert(inside == 1);
    inside--;
    give();
    pthread_join(a, NULL);
    return 0;
}
