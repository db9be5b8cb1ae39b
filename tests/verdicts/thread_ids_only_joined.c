// check --errors assertion: proved
/* Ids that are only joined tell nothing. */
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
    assert(tasks[0].number == 0);
    return 0;
}
