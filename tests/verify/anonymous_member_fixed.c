// expect: nothing
/* An anonymous member of a large local holds any value, too. */
#include <assert.h>
#include <pthread.h>

struct record {
    struct {
        int a;
    };
    char rest[100];
};

void *thread(void *argument) {
    return 0;
}

int main(void) {
    pthread_t id;
    struct record local;
    local.a = 1;
    local.rest[0] = 1;
    pthread_create(&id, 0, thread, 0);
    assert(local.a == local.rest[0]);
    return 0;
}
