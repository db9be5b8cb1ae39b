// check --errors assertion: proved
/* A spin lock is held by main for ever; the thread spins after its first write. */
#include <assert.h>
#include <pthread.h>

pthread_spinlock_t s;
int at;

void *work(void *arg) {
    at = 1;
    pthread_spin_lock(&s);
    at = 2;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_spin_init(&s, 0);
    pthread_spin_lock(&s);
    pthread_create(&id, 0, work, 0);
    assert(at != 2);
    return 0;
}
