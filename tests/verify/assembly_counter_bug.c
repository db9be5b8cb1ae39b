// expect: assertion failed
/* A counter that is increased by one instruction, which does not lock the bus: two processors may read it at the same time. */
#include <assert.h>
#include <pthread.h>

static int counter;

static void *add(void *arg)
{
    int one = 1;
    __asm__ __volatile__("xaddl %1, %0" : "+m"(counter), "+r"(one) : : "memory", "cc");
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
