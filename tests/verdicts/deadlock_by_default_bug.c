// check: bug
// says: a deadlock
// check --errors assertion: proved
/* Two locks are taken in two orders: looked for without asking. */
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void *both(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, both, 0);
    pthread_mutex_lock(&b), pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_join(id, 0);
    return 0;
}
