// check --errors assertion: no-bug|unknown
// says: (--errors lock looks for that)
// check: bug
/* The same with a mutex that is unlocked by a thread that does not own it. */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int guarded;

void *meddle(void *arg) {
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, meddle, 0);
    assert(guarded == 0);
    return 0;
}
