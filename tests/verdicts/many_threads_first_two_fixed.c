// check --errors assertion: no-bug|proved
/* The first two of two hundred threads use a flag, the others do nothing. */
#include <assert.h>
#include <pthread.h>

int flag;

void *raise(void *arg) {
    flag = 1;
    return 0;
}

void *look(void *arg) {
    assert(flag == 0 || flag == 1);
    return 0;
}

void *idle(void *arg) {
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, raise, 0);
    pthread_create(&id, 0, look, 0);
    for (int i = 0; i < 198; i++)
        pthread_create(&id, 0, idle, 0);
    return 0;
}
