// check --errors assertion: proved|no-bug
/* A pointer is hidden behind a mask, and the one who knows the mask writes through it. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

uintptr_t secret;

void *unmask(void *arg) {
    char *text = (char *)(secret ^ 0x5A5A);
    text[1] = 'b';
    return 0;
}

int main(void) {
    pthread_t id;
    char *text = malloc(2);
    text[0] = 'a';
    secret = 0x5A5A ^ (uintptr_t)text;
    pthread_create(&id, 0, unmask, 0);
    assert(text[0] == 'a');
    pthread_join(id, 0);
    return 0;
}
