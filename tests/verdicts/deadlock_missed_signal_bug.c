// check: bug
// check --errors deadlock: bug
/* A signal that nobody waits for yet is lost, unless a flag is kept with it. */
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int sent;

void *wait_once(void *arg) {
    pthread_mutex_lock(&m);
    if (sent <= 1)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, wait_once, 0);
    pthread_mutex_lock(&m);
    sent = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(id, 0);
    return 0;
}
