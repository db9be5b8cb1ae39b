/* A thread may wait for good: what it changed before that is a step of its own, though nobody else touches the lock. */
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
typedef union { char size[40]; long align; } pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
pthread_mutex_t own;
int x, y;

void *thread(void *arg) {
    y = 0;
    x = 1;
    pthread_mutex_lock(&own);
    x = 0;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    y = x;
    x = y;
    return 0;
}
