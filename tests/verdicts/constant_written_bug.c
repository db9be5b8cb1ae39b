// check: bug|proved
// says: writes to constants
// check --errors memory: bug|proved
// says: writes to constants
/* A cast does not make a constant writable. */
#include <pthread.h>

const int limit = 3;

void *raise_limit(void *arg) {
    *(int *)&limit = 4;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, raise_limit, 0);
    pthread_join(id, 0);
    return 0;
}
