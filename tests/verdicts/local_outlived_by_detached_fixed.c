// check: proved
// check --errors memory: proved
/* Main ends by pthread_exit(), and its locals end with it. */
#include <pthread.h>

int result;

void *use(void *arg) {
    result = *(int *)arg;
    return 0;
}

int main(void) {
    pthread_t id;
    static int local = 1;
    pthread_create(&id, 0, use, &local);
    pthread_detach(id);
    pthread_exit(0);
}
