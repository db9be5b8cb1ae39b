/* The running example of the Lazy-CSeq papers: producers lock, consumers do not. */
typedef unsigned long pthread_t;
typedef union { char size[40]; long align; } pthread_mutex_t;
int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
int pthread_mutex_init(pthread_mutex_t *, void *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);

pthread_mutex_t m;
int c;
int amount[2];

void *P(void *n) {
    int l = *(int *)n;
    pthread_mutex_lock(&m);
    if (c > 0)
        c++;
    else {
        c = 0;
        while (l > 0) {
            c++;
            l--;
        }
    }
    pthread_mutex_unlock(&m);
    return 0;
}

void *C(void *unused) {
    int b = c > 0;
    __VERIFIER_assume(b);
    c--;
    b = c >= 0;
    __VERIFIER_assert(b);
    return 0;
}

int main(void) {
    pthread_t p0, p1, c0, c1;
    c = 0;
    amount[0] = 5;
    amount[1] = 1;
    pthread_mutex_init(&m, 0);
    pthread_create(&p0, 0, P, &amount[0]);
    pthread_create(&p1, 0, P, &amount[1]);
    pthread_create(&c0, 0, C, 0);
    pthread_create(&c1, 0, C, 0);
    return 0;
}
