// check: proved
/* memmove() may be given memory that overlaps; the threads share it. */
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char line[4];
static int from = 2;

static void *shift(void *arg) {
    pthread_mutex_lock(&mutex);
    memmove(line, line + from, 2);
    from = 1;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, shift, 0);
    pthread_create(&b, 0, shift, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
