// check --errors memory: proved
/* How long the text is depends on who is faster. */
#include <pthread.h>
#include <string.h>

char text[5] = "abcd", copy[3];

void *shorten(void *arg) {
    text[2] = 0;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, shorten, 0);
    pthread_join(id, 0);
    strcpy(copy, text);
    return 0;
}
