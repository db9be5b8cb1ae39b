// check --errors race: bug
/* Both threads write the same array element, and nothing orders the two writes. */
#include <pthread.h>

static char cells[2];

static void *write_first(void *arg)
{
    cells[0] = 'a';
    return NULL;
}

static void *write_second(void *arg)
{
    cells[0] = 'b';
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, write_first, NULL);
    pthread_create(&b, NULL, write_second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return cells[0] == cells[1];
}
