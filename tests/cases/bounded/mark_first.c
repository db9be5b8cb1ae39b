/* The first thing that others could see needs no switch before it: the beginning of the thread is one. */
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int x, y;

void *thread(void *arg) {
    int local = 3;
    local = local + 4;
    x = local;
    y = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    y = x;
    x = y;
    pthread_join(t, 0);
    return 0;
}
