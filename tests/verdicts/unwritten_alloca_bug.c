// check --errors assertion: bug
/* The same for memory of alloca(). */
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <string.h>

void *look(void *arg) {
    unsigned char *bytes = arg;
    assert(bytes[3] != 0xA7);
    return 0;
}

int main(void) {
    pthread_t id;
    unsigned char *bytes = alloca(4);
    memset(bytes, 0, 3);
    pthread_create(&id, 0, look, bytes);
    pthread_join(id, 0);
    return 0;
}
