/* Within an atomic section there is no switch; it begins with one. */
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x, y;

void *thread(void *arg) {
    y = 0;
    __VERIFIER_atomic_begin();
    x = x + 1;
    y = x;
    __VERIFIER_atomic_end();
    x = 5;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    y = 1;
    x = 3;
    pthread_join(t, 0);
    return 0;
}
