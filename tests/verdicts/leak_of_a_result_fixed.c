// check --errors leak: proved
/* Nobody can ask for the result of a thread before it is joined, and then somebody has it. */
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg) {
    return malloc(4);
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, &result);
    free(result);
    return 0;
}
