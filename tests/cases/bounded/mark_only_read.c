/* What everybody reads and nobody writes while others live needs no switch. */
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int x, y, limit = 3, set_before;

void *thread(void *arg) {
    x = 1;
    x = limit;
    x = set_before;
    return 0;
}

int main(void) {
    pthread_t t;
    set_before = 4;
    pthread_create(&t, 0, thread, 0);
    y = limit + set_before;
    x = y;
    pthread_join(t, 0);
    return 0;
}
