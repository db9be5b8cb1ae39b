// check --errors memory: bug
/* Another thread frees what main has on its stack. */
#include <alloca.h>
#include <pthread.h>
#include <stdlib.h>

char *text;

void *end(void *arg) {
    free(text);
    return 0;
}

int main(void) {
    pthread_t thread;
    text = alloca(4);
    text[0] = 1;
    pthread_create(&thread, 0, end, 0);
    pthread_join(thread, 0);
    return 0;
}
