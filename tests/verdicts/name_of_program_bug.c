// check --errors assertion: bug|no-bug|unknown
/* The program has any name, but no arguments. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

void *work(void *arg) {
    char **arguments = arg;
    assert(strlen(arguments[0]) != 3);
    return 0;
}

int main(int argc, char **argv) {
    pthread_t id;
    pthread_create(&id, 0, work, argv);
    pthread_join(id, 0);
    return 0;
}
