// check --errors assertion: no-bug
// says: no thread gets the id of one that has ended
/* The id of a thread that was joined may be that of the next one. */
#include <assert.h>
#include <pthread.h>

struct task { int number; pthread_t thread; } tasks[2];

void *nothing(void *arg) { return 0; }

int main(void)
{
    for (int i = 0; i < 2; i++) {
        pthread_create(&tasks[i].thread, 0, nothing, 0);
        pthread_join(tasks[i].thread, 0);
    }
    assert(!pthread_equal(tasks[0].thread, tasks[1].thread));
    return 0;
}
