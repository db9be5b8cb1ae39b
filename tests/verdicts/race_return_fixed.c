// check --errors race: proved
/* The thread has ended before `main` reads the variable. */
#include <pthread.h>

int data;

void *work(void *arg) {
    data = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return data;
}
