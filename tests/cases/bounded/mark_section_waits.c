/* A section that may not come to its end closes the step where it begins. */
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
int x, y, mine;

void *thread(void *arg) {
    y = 0;
    x = 1;
    __VERIFIER_atomic_begin();
    mine = 1;
    __VERIFIER_assume(mine == (arg != 0));
    __VERIFIER_atomic_end();
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
