/* Two ways that begin a step each come together: what follows is a step of its own. */
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int __VERIFIER_nondet_int(void);
int x, y;

void *thread(void *arg) {
    y = 0;
    x = 1;
    int mine, any = __VERIFIER_nondet_int();
    if (any > 3) mine = 4 / (any - 5);
    else mine = 4 / (any - 1);
    x = mine;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    y = x;
    x = y;
    return 0;
}
