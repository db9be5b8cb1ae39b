// check --errors assertion: bug
/* strtol() stops at the first character that is no digit. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

const char *volatile number = "12";

void *change(void *arg) {
    number = "12x9";
    return 0;
}

int main(void) {
    pthread_t id;
    char *end;
    pthread_create(&id, 0, change, 0);
    pthread_join(id, 0);
    long value = strtol(number, &end, 10);
    assert(value == 129);
    return 0;
}
