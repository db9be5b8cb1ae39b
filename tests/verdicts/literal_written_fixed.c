// check: proved
// check --errors memory: proved
/* Nor is a string literal an array to write to. */
#include <pthread.h>

char space[] = "abc", *text = space;

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
