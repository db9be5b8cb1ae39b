// check --errors assertion: proved
/* What a thread gives to pthread_exit() in a function it calls is what join gets. */
#include <assert.h>
#include <pthread.h>

void leave(long code) {
    pthread_exit((void *)code);
}

void *work(void *arg) {
    leave(5);
    return (void *)7;
}

int main(void) {
    pthread_t id;
    void *value;
    pthread_create(&id, 0, work, 0);
    pthread_join(id, &value);
    assert((long)value == 5);
    return 0;
}
