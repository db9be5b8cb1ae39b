// check --errors race: bug
/* The number of a thread is a byte that wraps around: the loop ends before the last thread is joined. */
#include <pthread.h>

static int sum;

static void *add(void *arg)
{
    sum = 1;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, add, NULL);
        if (i == 0)
            pthread_join(threads[0], NULL);
    }
    for (unsigned char i = 0; i == 0; i += 255)
        if (i == 1)
            pthread_join(threads[1], NULL);
    return sum;
}
