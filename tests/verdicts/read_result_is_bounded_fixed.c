// check --errors memory: proved
/* read() returns at most what was asked for, and -1 on failure. */
#include <pthread.h>
#include <unistd.h>

char buffer[4];

void *receive(void *arg) {
    ssize_t length = read(0, buffer, 2);
    buffer[length + 1] = 0;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, receive, 0);
    pthread_join(id, 0);
    return 0;
}
