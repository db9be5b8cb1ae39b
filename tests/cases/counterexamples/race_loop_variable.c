// check --errors race
/* Every thread gets the address of the same loop variable. */
#include <pthread.h>

int done[2];

void *work(void *arg) {
    int index = *(int *)arg;
    if (index < 2)
        done[index] = 1;
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, &i);
    return 0;
}
