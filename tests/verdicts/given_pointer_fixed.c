// check: proved
/* A text is always there. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
int x;
void *add(void *arg) {
    x = 1;
    return 0;
}
int main(void) {
    pthread_t adding;
    char *name = malloc(4);
    name[0] = 0;
    pthread_create(&adding, 0, add, 0);
    free(name);
    perror("name");
    pthread_join(adding, 0);
    return 0;
}
