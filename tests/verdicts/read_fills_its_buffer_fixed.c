// check --errors assertion: proved
/* read() may write every byte of its buffer, and none behind it. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

char buffer[4];

void *receive(void *arg) {
    read(0, buffer, 2);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, receive, 0);
    pthread_join(id, 0);
    assert(buffer[2] == 0);
    return 0;
}
