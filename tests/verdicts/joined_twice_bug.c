// check: bug
// check --errors thread: bug
/* Two threads want to join a third one. */
#include <pthread.h>

pthread_t worker;

void *work(void *arg) {
    return 0;
}

void *wait_for_it(void *arg) {
    pthread_join(worker, 0);
    return 0;
}

int main(void) {
    pthread_t helper;
    pthread_create(&worker, 0, work, 0);
    pthread_create(&helper, 0, wait_for_it, 0);
    pthread_join(worker, 0);
    return 0;
}
