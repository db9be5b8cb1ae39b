// expect: assertion failed
/* Every byte of an uninitialized union holds any value. */
#include <assert.h>
#include <pthread.h>

union value {
    struct {
        char a;
        int b;
    } parts;
    unsigned char bytes[8];
};

void *thread(void *argument) {
    return 0;
}

int main(void) {
    pthread_t id;
    union value local;
    local.parts.a = 0;
    pthread_create(&id, 0, thread, 0);
    assert(local.bytes[1] == 0);
    return 0;
}
