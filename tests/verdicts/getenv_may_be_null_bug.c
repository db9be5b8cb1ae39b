// check --errors memory: bug
/* The environment may lack a variable. */
#include <pthread.h>
#include <stdlib.h>

char first;

void *look(void *arg) {
    char *home = getenv("HOME");
    if (home != (char *)1)
        first = home[0];
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, look, 0);
    pthread_join(id, 0);
    return 0;
}
