// check --errors race: bug
/* main returns, so the handler runs while the thread does. */
#include <pthread.h>
#include <stdlib.h>

static int done;

static void report(void) {
    if (done > 1)
        abort();
}

static void *work(void *arg) {
    done += 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    atexit(report);
    pthread_create(&thread, 0, work, 0);
    return 0;
}
