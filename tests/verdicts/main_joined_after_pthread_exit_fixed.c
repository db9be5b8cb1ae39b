// check --errors assertion: proved
/* A thread may join main, which ended by pthread_exit(), and get its result. */
#include <assert.h>
#include <pthread.h>

pthread_t boss;
int result;

void *inherit(void *arg) {
    void *value;
    pthread_join(boss, &value);
    assert((long)value == 17 && result == 1);
    return 0;
}

int main(void) {
    pthread_t id;
    boss = pthread_self();
    pthread_create(&id, 0, inherit, 0);
    result = 1;
    pthread_exit((void *)17);
}
