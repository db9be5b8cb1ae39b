/* Whoever ends the process stops the others: a step of its own, as the end of main is. */
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void _exit(int);
int x, y;

void *thread(void *arg) {
    y = 0;
    x = 1;
    _exit(0);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    y = x;
    x = y;
    return 0;
}
