// check --errors memory,division: proved
/* sizeof, a short cut and `&*` do not follow the pointer. */
#include <pthread.h>

int *pointer, zero;

void *work(void *arg) {
    (void)sizeof(*pointer);
    (void)&*pointer;
    0 && *pointer;
    1 || 5 / zero;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, work, 0);
    pthread_join(id, 0);
    return 0;
}
