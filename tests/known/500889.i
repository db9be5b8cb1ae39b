typedef unsigned long pthread_t;
struct timespec { long tv_sec; long tv_nsec; };
typedef union { char size[56]; long align; } pthread_attr_t;
typedef union { struct { int lock; unsigned count; int owner; unsigned users; int kind; } data; char size[40]; long align; } pthread_mutex_t;
typedef union { char size[56]; long align; } pthread_rwlock_t;
struct pair { char tag; int value; };
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_timedlock(pthread_mutex_t *, const struct timespec *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_rwlock_trywrlock(pthread_rwlock_t *);
int pthread_rwlock_unlock(pthread_rwlock_t *);
int pthread_attr_init(pthread_attr_t *);
int pthread_attr_destroy(pthread_attr_t *);
int pthread_attr_getdetachstate(const pthread_attr_t *, int *);
int pthread_attr_setschedpolicy(pthread_attr_t *, int);
void __VERIFIER_assert(int);
void reach_error(void);
void *malloc(unsigned long);
void free(void *);
void exit(int);
struct timespec when;
int x;
int a[3];
unsigned u;
short sh;
volatile int vol;
struct pair s;
int *ap = a;
pthread_mutex_t m0;
pthread_rwlock_t rw;
int w1;
int w2;
void *f1(void *arg);
void *f2(void *arg);
void *f2(void *arg) {
    int l = 0;
    for (int i12 = 0; i12 < 2; i12++) { __VERIFIER_assert(u != 4);  }
    w1 = 1; w2 = 1;
    { pthread_attr_t how; pthread_attr_init(&how); pthread_attr_getdetachstate(&how, &l); pthread_attr_setschedpolicy(&how, 0); pthread_attr_destroy(&how); }
    return (void *)1;
    return 0;
}
void *f1(void *arg) {
    int l = 0;
    ap[x & 1]--;
    l = __atomic_fetch_xor(&sh, 0, 5);
    { int p = 0, q = 0; if (pthread_mutex_timedlock(&m0, &when) == 0) { p = w1; q = w2; pthread_mutex_unlock(&m0); } __VERIFIER_assert(p == q); }
    { int *block = malloc(8); block[0] = (1 >> (1 & 63)); l = (unsigned)block[1] & 1; free(block); }
    return 0;
}
int main(void) {
    int l = 0;
    int k = 0;
    void *result = 0;
    unsigned long t1;
    unsigned long t2;
    pthread_create(&t1, 0, f1, &s.value);
    pthread_create(&t2, 0, f2, 0);
    if (pthread_rwlock_trywrlock(&rw) == 0) { if (x) exit(0); pthread_rwlock_unlock(&rw); }
    pthread_join(t1, 0);
    pthread_join(t2, &result); __VERIFIER_assert((long)result != 3);
    if (!(!(vol == 1 && ap[x & 1] == 6))) reach_error();
    __VERIFIER_assert(l + k < 6 + 2);
    return 0;
}
