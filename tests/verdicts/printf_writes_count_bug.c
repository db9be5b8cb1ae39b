// check --errors assertion: bug
/* printf() with %n writes how much it has printed so far. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

int printed;

void *print(void *arg) {
    printf("four%n\n", &printed);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, print, 0);
    pthread_join(id, 0);
    assert(printed == 0);
    return 0;
}
