/* Thread functions stay calls; private memory makes no visible steps. */
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int total;
pthread_t ids[2];
void *work(void *arg) {
    int *mine = malloc(sizeof *mine);
    *mine = *(int *)arg;
    pthread_mutex_lock(&m);
    total += *mine;
    pthread_mutex_unlock(&m);
    free(mine);
    return 0;
}
int main(void) {
    int n = 1;
    for (int i = 0; i < 2; i++) pthread_create(&ids[i], 0, work, &n);
    for (int i = 0; i < 2; i++) pthread_join(ids[i], 0);
    return total;
}
