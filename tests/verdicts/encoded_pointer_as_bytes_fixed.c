// check --errors assertion: proved|no-bug
/* A pointer is stored byte by byte and read byte by byte. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

unsigned char letter[sizeof(int *)];

void *open_letter(void *arg) {
    int *cell;
    for (unsigned i = 0; i < sizeof cell; i++)
        ((unsigned char *)&cell)[i] = letter[i];
    *cell = 5;
    return 0;
}

int main(void) {
    pthread_t id;
    int *cell = malloc(sizeof *cell);
    *cell = 5;
    for (unsigned i = 0; i < sizeof cell; i++)
        letter[i] = ((unsigned char *)&cell)[i];
    pthread_create(&id, 0, open_letter, 0);
    assert(*cell == 5);
    pthread_join(id, 0);
    return 0;
}
