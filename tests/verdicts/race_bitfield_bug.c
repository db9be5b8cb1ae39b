// check --errors race: bug
/* Two adjacent bit-fields are one memory location in C, so writing one races with writing the other. */
#include <pthread.h>

struct flags {
    unsigned low : 4;
    unsigned high : 4;
};

static struct flags flags;

static void *set_low(void *arg)
{
    flags.low = 1;
    return NULL;
}

static void *set_high(void *arg)
{
    flags.high = 2;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, set_low, NULL);
    pthread_create(&b, NULL, set_high, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return flags.low + flags.high;
}
