/* Before the thread exists and after it was joined, nobody else is there. */
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int x, y;

void *thread(void *arg) {
    y = 0;
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    x = 2;
    y = x;
    pthread_create(&t, 0, thread, 0);
    y = 2;
    x = 3;
    pthread_join(t, 0);
    y = x;
    x = 4;
    return 0;
}
