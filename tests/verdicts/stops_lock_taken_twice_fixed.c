// check --errors assertion: proved
/* A thread locks a normal mutex twice and hangs; main sees what it wrote in between. */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m;
int level;

void *nested(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    level++;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_NORMAL);
    pthread_mutex_init(&m, &kind);
    pthread_create(&id, 0, nested, 0);
    assert(level == 0);
    return 0;
}
