// check: proved
// check --errors assertion: proved
/* The block of the local ends before the thread is joined. */
#include <assert.h>
#include <pthread.h>

void *use(void *arg) {
    assert(*(int *)arg == 8);
    return 0;
}

int main(void) {
    pthread_t id;
    {
        int local = 8;
        pthread_create(&id, 0, use, &local);
    pthread_join(id, 0);
    }
    return 0;
}
