// check --errors race: bug
/* `main` reads the variable in the step that ends the process, while the thread writes it. */
#include <pthread.h>

int data;

void *work(void *arg) {
    data = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    return data;
}
