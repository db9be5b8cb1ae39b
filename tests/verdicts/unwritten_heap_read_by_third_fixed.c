// check --errors assertion: proved
/* One thread allocates, another hands the memory on, a third reads what nobody wrote. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

long *raw, *handed;

void *allocate(void *arg) {
    raw = malloc(2 * sizeof(long));
    raw[1] = 8;
    return 0;
}

void *hand_on(void *arg) {
    handed = &raw[1];
    return 0;
}

void *look(void *arg) {
    assert(*handed != 4711);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, allocate, 0);
    pthread_join(id, 0);
    pthread_create(&id, 0, hand_on, 0);
    pthread_join(id, 0);
    pthread_create(&id, 0, look, 0);
    pthread_join(id, 0);
    return 0;
}
