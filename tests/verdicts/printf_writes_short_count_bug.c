// check --errors assertion: bug
/* %hhn writes one byte, and not its neighbour. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

signed char counts[2] = {9, 9};

void *print(void *arg) {
    char line[8];
    snprintf(line, sizeof line, "ab%hhn", &counts[0]);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, print, 0);
    pthread_join(id, 0);
    assert(counts[0] == 9);
    return 0;
}
