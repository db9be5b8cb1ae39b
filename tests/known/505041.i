typedef unsigned long pthread_t;
typedef union { char size[56]; long align; } pthread_attr_t;
typedef union { struct { int lock; unsigned count; int owner; unsigned users; int kind; } data; char size[40]; long align; } pthread_mutex_t;
typedef union { char size[4]; int align; } pthread_mutexattr_t;
typedef volatile int pthread_spinlock_t;
struct pair { char tag; int value; };
struct nested { struct pair inner; short list[2]; };
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
pthread_t pthread_self(void);
int pthread_detach(pthread_t);
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int pthread_spin_init(pthread_spinlock_t *, int);
int pthread_attr_init(pthread_attr_t *);
int pthread_attr_setdetachstate(pthread_attr_t *, int);
void __VERIFIER_assert(int);
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
int y;
int a[3];
struct nested nest;
pthread_mutex_t m3;
pthread_spinlock_t spin;
int cnt;
int *hp;
static int next(void) { static int last; last++; return last; }
void *f1(void *arg);
void *f2(void *arg);
void *f2(void *arg) {
    pthread_detach(pthread_self());
    free(hp); cnt++; hp = malloc(4);
    return (void *)1;
    return 0;
}
void *f1(void *arg) {
    int l = 0;
    int k = 0;
    { int *seen = hp; l = cnt; if (__sync_bool_compare_and_swap(&hp, seen, seen)) { __VERIFIER_assert(l == cnt); } }
    if (y == 1) { y = next(); l = 1; k = __atomic_compare_exchange_n(&nest.inner.value, &l, 1, 1, 5, 0);  }
    return 0;
}
int main(void) {
    int l = 0;
    unsigned long t1;
    unsigned long t2;
    unsigned long t3;
    pthread_spin_init(&spin, 0);
    pthread_mutex_init(&m3, 0);
    hp = malloc(4); *hp = 1;
    if (__VERIFIER_nondet_int()) y = 2;
    { pthread_attr_t how; pthread_attr_init(&how); pthread_attr_setdetachstate(&how, 1); pthread_create(&t1, &how, f1, 0); }
    pthread_create(&t2, 0, f2, calloc(1, sizeof(int)));
    pthread_create(&t3, 0, f2, &a[1]);
    { int *block = malloc(8); block[0] = y; l = (unsigned)block[1] & 1; free(block); }
    pthread_join(t2, 0);
    __VERIFIER_assert(y != 3);
    return 0;
}
