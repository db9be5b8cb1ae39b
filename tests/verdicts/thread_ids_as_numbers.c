// check --errors assertion: no-bug
// says: the ids of threads are 1, 2, 3 and so on
/* Which of two ids is smaller is up to the machine. */
#include <assert.h>
#include <pthread.h>

void *nothing(void *arg) { return 0; }

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, nothing, 0);
    pthread_create(&second, 0, nothing, 0);
    assert(first < second);
    return 0;
}
