// check --errors assertion: proved
// check --errors abort: proved
/* What comes after a place that is promised to be unreachable is undefined, not proved. */
#include <assert.h>
#include <pthread.h>

int mode;

void *change(void *arg) {
    mode = 1;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, change, 0);
    if (mode == 2)
        __builtin_unreachable();
    return 0;
}
