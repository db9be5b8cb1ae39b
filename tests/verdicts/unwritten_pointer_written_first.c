// check --errors assertion: proved
/* Whoever reads the pointer has written it: what was in its memory before does not matter. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct file { int mode; void *data; } *file;
int other, mode;

void *opens(void *arg) {
    struct file *mine = file;
    mine->data = &other;
    assert(mine->data != &mode);
    return 0;
}

void *uses(void *arg) {
    mode = 1;
    return 0;
}

int main(void) {
    pthread_t a, b;
    file = malloc(sizeof *file);
    pthread_create(&a, 0, opens, 0);
    pthread_create(&b, 0, uses, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
