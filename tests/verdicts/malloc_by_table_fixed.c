// check --errors memory: proved
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
    *cell = 1;
    a->put(cell);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, work, &standard);
    pthread_join(id, 0);
    return 0;
}
