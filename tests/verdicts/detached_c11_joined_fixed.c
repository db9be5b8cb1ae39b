// check: proved
// check --errors thread: proved
/* A C11 thread is detached and joined. */
#include <threads.h>

int work(void *arg) {
    return 4;
}

int main(void) {
    thrd_t id;
    int result;
    thrd_create(&id, work, 0);
    (void)id;
    thrd_join(id, &result);
    return result - 4;
}
