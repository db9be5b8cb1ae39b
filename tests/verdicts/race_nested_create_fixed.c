// check --errors race: proved
/* The parent thread writes the input before it creates the child that reads it. */
#include <pthread.h>

static int input;
static int output;

static void *child(void *arg)
{
    output = input + 1;
    return NULL;
}

static void *parent(void *arg)
{
    pthread_t c;
    input = 3;
    pthread_create(&c, NULL, child, NULL);
    pthread_join(c, NULL);
    return NULL;
}

int main(void)
{
    pthread_t p;
    pthread_create(&p, NULL, parent, NULL);
    pthread_join(p, NULL);
    return output;
}
