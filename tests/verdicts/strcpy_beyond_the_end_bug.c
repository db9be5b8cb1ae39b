// check: bug
// check --errors memory: bug
/* The zero at the end needs a place, too. */
#include <pthread.h>
#include <string.h>

char name[4];

void *write_name(void *arg) {
    strcpy(name, "anna");
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, write_name, 0);
    pthread_join(id, 0);
    return 0;
}
