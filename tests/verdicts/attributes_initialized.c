// check: proved
/* Initialized attributes. */
#include <pthread.h>

pthread_attr_t attributes;

void *work(void *arg) { return 0; }

int main(void) {
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_create(&thread, &attributes, work, 0);
    pthread_join(thread, 0);
    return 0;
}
