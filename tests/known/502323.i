typedef unsigned long pthread_t;
typedef union { char size[56]; long align; } pthread_attr_t;
typedef union { char size[56]; long align; } pthread_rwlock_t;
typedef union { char size[8]; long align; } pthread_rwlockattr_t;
typedef union { char size[32]; long align; } pthread_barrier_t;
typedef union { char size[4]; int align; } pthread_barrierattr_t;
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void pthread_exit(void *);
int pthread_rwlock_init(pthread_rwlock_t *, const pthread_rwlockattr_t *);
int pthread_barrier_init(pthread_barrier_t *, const pthread_barrierattr_t *, unsigned);
int pthread_barrier_wait(pthread_barrier_t *);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
void reach_error(void);
unsigned long strlen(const char *);
char *strcpy(char *, const char *);
int x;
int y;
int a[3];
char bytes[4];
int *ip = &x;
pthread_rwlock_t rw;
pthread_barrier_t bar;
char text[4] = "x";
void __VERIFIER_atomic_stop(void) { y = 1; __VERIFIER_assume(x > 0); y = 0; }
void *f1(void *arg);
void *f2(void *arg);
void *f2(void *arg) {
    int l = 0;
    int k = 0;
    strcpy(text, "ab");
    pthread_barrier_wait(&bar);
    __VERIFIER_atomic_begin(); l = 0; k = __atomic_compare_exchange_n(&y, &l, 2, 0, 5, 0);  __VERIFIER_atomic_end();
    if (a[x & 1] < 1) return (void *)1;
    pthread_exit((void *)(long)l);
    return 0;
}
void *f1(void *arg) {
    int l = 0;
    l = (*ip); __VERIFIER_assert(l == bytes[1] || y != 4);
    l = strlen(text);
    if (a[x & 1] > 0) { __VERIFIER_atomic_stop(); }
    if (!(l != 2)) reach_error();
    return 0;
}
int main(void) {
    unsigned long t1;
    unsigned long t2;
    pthread_rwlock_init(&rw, 0);
    pthread_barrier_init(&bar, 0, 2);
    pthread_create(&t1, 0, f1, 0);
    pthread_create(&t2, 0, f2, &a[1]);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    __VERIFIER_assert(x != 6);
    if (!(!((*ip) == 0 && (*ip) == 4))) reach_error();
    return 0;
}
