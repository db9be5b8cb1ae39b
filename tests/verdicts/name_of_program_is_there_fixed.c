// check: proved|no-bug
/* argv[0] is a text, argv[argc] is null. */
#include <assert.h>
#include <pthread.h>

void *work(void *arg) {
    return 0;
}

int main(int argc, char **argv) {
    pthread_t id;
    pthread_create(&id, 0, work, 0);
    pthread_join(id, 0);
    assert(argv[0] != 0);
    return 0;
}
