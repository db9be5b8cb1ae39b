/* Creating a thread goes with the step before it: earlier allows all that later does. */
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int x;
void *other(void *arg) { x = 7; return 0; }

void *thread(void *arg) {
    x = 1;
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    x = 2;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    x = 3;
    pthread_join(t, 0);
    return 0;
}
