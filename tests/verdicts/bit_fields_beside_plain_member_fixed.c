// check --errors assertion: proved
/* A plain member is a memory location of its own, a bit-field beside another is not. */
#include <assert.h>
#include <pthread.h>

struct record {
    unsigned char kind : 4;
    unsigned char level;
} record;

void *work(void *arg) {
    record.level++;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, work, 0);
    record.kind = 2;
    pthread_join(id, 0);
    assert(record.kind == 2 && record.level == 1);
    return 0;
}
