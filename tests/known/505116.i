typedef unsigned long pthread_t;
typedef union { char size[56]; long align; } pthread_attr_t;
typedef union { struct { int lock; unsigned count; int owner; unsigned users; int kind; } data; char size[40]; long align; } pthread_mutex_t;
typedef union { char size[32]; long align; } sem_t;
struct pair { char tag; int value; };
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int thrd_create(unsigned long *, int (*)(void *), void *);
int thrd_join(unsigned long, int *);
void thrd_exit(int);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int sem_init(sem_t *, int, unsigned);
void __VERIFIER_assert(int);
void reach_error(void);
void __assert_fail(const char *, const char *, unsigned, const char *);
void *calloc(unsigned long, unsigned long);
int x;
int y;
int a[3];
struct pair s;
struct pair s2;
int *ap = a;
pthread_mutex_t m2 = { { 0, 0, 0, 0, 2 } };
pthread_mutex_t m5;
pthread_mutex_t m6;
sem_t sem1;
int w1;
int w2;
void *f1(void *arg);
void *f3(void *arg);
int g2(void *arg);
void *f3(void *arg) {
    int l = 0;
    for (int i14 = 0; i14 < 2; i14++) { { struct pair junk; junk.tag = 1; s2 = junk; l = (unsigned)s2.value & 1; }  }
    return 0;
}
int g2(void *arg) {
    int l = 0;
    pthread_mutex_lock(&m6); pthread_mutex_lock(&m5); y = (int)(&a[2] - ap); pthread_mutex_unlock(&m5); pthread_mutex_unlock(&m6);
    { int p = 0, q = 0; p = w1; q = w2; __VERIFIER_assert(p == q); }
    thrd_exit(l);
    return 0;
}
void *f1(void *arg) {
    if (x >= 0) { pthread_mutex_lock(&m5); pthread_mutex_lock(&m6); x = 1; pthread_mutex_unlock(&m6); pthread_mutex_unlock(&m5); }
    return 0;
}
int main(void) {
    int l = 0;
    int k = 0;
    void *result = 0;
    int code = 0;
    unsigned long t1;
    unsigned long t2;
    unsigned long t3;
    sem_init(&sem1, 0, 1);
    pthread_create(&t1, 0, f1, (void *)2);
    thrd_create(&t2, g2, &s.value);
    pthread_create(&t3, 0, f3, calloc(1, sizeof(int)));
    pthread_mutex_lock(&m2); w1 = 1; w2 = 1; l = pthread_mutex_unlock(&m2);
    pthread_join(t1, &result); if (!((long)result != 1)) reach_error();
    thrd_join(t2, &code); l = code;
    if (!(l + k < 5 + 2)) __assert_fail("claim", "file", 1, "function");
    __VERIFIER_assert(y < 5);
    return 0;
}
