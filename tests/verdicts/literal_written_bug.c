// check: bug
// check --errors memory: bug
/* Nor is a string literal an array to write to. */
#include <pthread.h>

char *text = "abc";

void *change(void *arg) {
    text[0] = 'x';
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, change, 0);
    pthread_join(id, 0);
    return 0;
}
