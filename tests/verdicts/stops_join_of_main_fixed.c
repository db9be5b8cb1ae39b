// check --errors assertion: proved
/* Main and its thread join each other: both wait for good, unless the library notices; a third one looks. */
#include <assert.h>
#include <pthread.h>

pthread_t creator;
int before;

void *child(void *arg) {
    before = 1;
    pthread_join(creator, 0);
    return 0;
}

void *look(void *arg) {
    assert(before >= 0);
    return 0;
}

int main(void) {
    pthread_t a, b;
    creator = pthread_self();
    pthread_create(&a, 0, child, 0);
    pthread_create(&b, 0, look, 0);
    pthread_join(a, 0);
    return 0;
}
