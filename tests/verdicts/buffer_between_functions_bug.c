// check --errors assertion --memory-model sc: proved
// check --errors assertion --memory-model tso: bug
// check --errors assertion --memory-model tso --unwind 1 --rounds 4: bug
// check --errors assertion --memory-model tso --unwind 1 --rounds 4 --schema lazy: bug
/* Functions of the C library that have nothing to do with threads leave the buffer as it is. */
#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>

static int x, y, seen_by_first, seen_by_second;

static void *first(void *arg)
{
    x = 1;
    int number = abs(-3);
    seen_by_first = y + number;
    return 0;
}

static void *second(void *arg)
{
    y = 1;
    int letter = toupper('a');
    seen_by_second = x + letter;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(!(seen_by_first == 3 && seen_by_second == 'A'));
    return 0;
}
