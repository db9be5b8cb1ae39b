// check --errors assertion: no-bug
// says: Assumed: register_callback() (
/* A function without body may call what it is given. */
#include <assert.h>
#include <pthread.h>

void register_callback(void (*f)(void));
int called;

void callback(void) {
    called = 1;
}

void *work(void *arg) {
    register_callback(callback);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, work, 0);
    pthread_join(id, 0);
    assert(!called);
    return 0;
}
