/* An assumption that may be false closes the step before it. */
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
int x, y;

void *thread(void *arg) {
    y = 0;
    int mine = __VERIFIER_nondet_int();
    x = 1;
    __VERIFIER_assume(mine);
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
