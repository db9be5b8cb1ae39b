// expect: nothing
/* A counter that is increased by an instruction of its own, which locks the bus. */
#include <assert.h>
#include <pthread.h>

static int counter;

static void *add(void *arg)
{
    int one = 1;
    __asm__ __volatile__("lock; xaddl %1, %0" : "+m"(counter), "+r"(one) : : "memory", "cc");
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
