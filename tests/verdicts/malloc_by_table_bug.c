// check --errors memory: bug
/* free() and malloc() are called through a struct of functions. */
#include <pthread.h>
#include <stdlib.h>

struct allocator {
    void *(*get)(size_t);
    void (*put)(void *);
} standard = {malloc, free};

void *work(void *arg) {
    struct allocator *a = arg;
    int *cell = a->get(sizeof *cell);
    a->put(cell);
    *cell = 1;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, work, &standard);
    pthread_join(id, 0);
    return 0;
}
