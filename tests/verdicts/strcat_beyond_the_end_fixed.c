// check: proved
// check --errors memory: proved
/* Two threads append to the same text, which has room for two letters more. */
#include <pthread.h>
#include <string.h>

char text[4] = "a";

void *append(void *arg) {
    strcat(text, arg);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, append, "b");
    pthread_join(id, 0);
    append("c");
    return 0;
}
