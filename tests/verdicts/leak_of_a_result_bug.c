// check --errors leak: bug
/* Nobody can ask for the result of a thread that was joined. */
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg) {
    return malloc(4);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
