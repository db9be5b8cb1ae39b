// check --errors memory: bug
/* A pointer to a number is taken for one to a function. */
#include <pthread.h>

int data;

int answer(void) {
    return 42;
}

void *target = &data;

void *call(void *arg) {
    int (*f)(void) = (int (*)(void))target;
    data = f();
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, call, 0);
    pthread_join(id, 0);
    return 0;
}
