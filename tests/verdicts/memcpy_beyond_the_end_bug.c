// check --errors memory: bug
/* How much is copied is read from memory that another thread changes. */
#include <pthread.h>
#include <string.h>

char source[4] = "abc", target[2];
int size = 1;

void *grow(void *arg) {
    size = 3;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, grow, 0);
    memcpy(target, source, size);
    pthread_join(id, 0);
    return 0;
}
