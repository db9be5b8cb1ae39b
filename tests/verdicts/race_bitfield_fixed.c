// check --errors race: proved
/* Two separate chars are two memory locations, so the two threads never touch the same one. */
#include <pthread.h>

struct flags {
    unsigned char low;
    unsigned char high;
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
