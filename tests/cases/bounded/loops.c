/* Known and unknown numbers of iterations, jumps, a call, a function pointer, creation in a loop. */
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void __VERIFIER_assert(int);
int x, only_read = 3;

static int twice(int v) {
    if (v > 10) return v;
    return v + v;
}

void *add(void *by) {
    for (int i = 0; i < 3; i++) {
        if (x == 7) break;
        x = twice(x) + (int)(long)by;
    }
    return 0;
}

void *wait(void *unused) {
again:
    if (x < only_read) goto again;
    return 0;
}

int main(void) {
    void *(*start[2])(void *) = {add, wait};
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, start[i], (void *)(long)(i + 1));
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    __VERIFIER_assert(x != 13);
    return 0;
}
