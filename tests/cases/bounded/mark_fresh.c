/* What was just allocated is seen by nobody until its address is written where others look. */
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void *malloc(unsigned long);
int *shared, x;

void *thread(void *arg) {
    x = 1;
    int *fresh = malloc(sizeof *fresh);
    *fresh = 1;
    *fresh = *fresh + 1;
    shared = fresh;
    *fresh = 3;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    x = 2;
    if (shared) x = *shared;
    pthread_join(t, 0);
    return 0;
}
