// check --errors assertion: proved
/* The hole between two members is memory that nobody wrote. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct gap {
    char small;
    int large;
};

struct gap *record;

void *look(void *arg) {
    unsigned char *bytes = (unsigned char *)record;
    assert(bytes[0] != 77);
    return 0;
}

int main(void) {
    pthread_t id;
    record = malloc(sizeof *record);
    record->small = 1;
    record->large = 2;
    pthread_create(&id, 0, look, 0);
    pthread_join(id, 0);
    return 0;
}
