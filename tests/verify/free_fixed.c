// expect: nothing
#include <pthread.h>
#include <stdlib.h>
int *shared;
void *work(void *p) { return (void *)(long)*shared; }
int main(void) {
    pthread_t a;
    shared = malloc(sizeof *shared);
    *shared = 1;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    free(shared);
    return 0;
}
