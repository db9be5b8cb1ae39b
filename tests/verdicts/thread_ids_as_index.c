// check --errors race: no-bug
// says: the ids of threads are 1, 2, 3 and so on
/* Two ids may have the same remainder. */
#include <pthread.h>

int slot[8];

void *count(void *arg) { slot[pthread_self() % 8]++; return 0; }

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, count, 0);
    pthread_create(&second, 0, count, 0);
    return 0;
}
