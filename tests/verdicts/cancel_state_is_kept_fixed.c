// check --errors assertion: proved
/* pthread_setcancelstate() gives back the state of before, which each thread has for itself. */
#include <assert.h>
#include <pthread.h>

void *work(void *arg) {
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &before);
    assert(before == PTHREAD_CANCEL_DISABLE);
    return 0;
}

int main(void) {
    pthread_t id;
    int before;
    pthread_create(&id, 0, work, 0);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &before);
    assert(before == PTHREAD_CANCEL_ENABLE);
    pthread_join(id, 0);
    return 0;
}
