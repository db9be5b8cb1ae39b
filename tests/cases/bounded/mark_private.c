/* What only one thread touches needs no switch, in whatever way it is reached; x does. */
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int x, y, mine, other;

void *thread(void *arg) {
    int local = 0, *where = &mine;
    y = 0;
    local++;
    *where = local;
    x = *where;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    other = 1;
    y = 2;
    x = other;
    pthread_join(t, 0);
    return 0;
}
