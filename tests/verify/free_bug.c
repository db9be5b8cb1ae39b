// expect: undefined use of memory
#include <pthread.h>
#include <stdlib.h>
int *shared;
void *work(void *p) { return (void *)(long)*shared; }
int main(void) {
    pthread_t a;
    shared = malloc(sizeof *shared);
    *shared = 1;
    pthread_create(&a, 0, work, 0);
    free(shared);
    pthread_join(a, 0);
    return 0;
}
