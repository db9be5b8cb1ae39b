typedef unsigned long pthread_t;
typedef union { char size[56]; long align; } pthread_attr_t;
typedef union { struct { int lock; unsigned count; int owner; unsigned users; int kind; } data; char size[40]; long align; } pthread_mutex_t;
typedef union { char size[4]; int align; } pthread_mutexattr_t;
typedef union { char size[32]; long align; } pthread_barrier_t;
typedef union { char size[4]; int align; } pthread_barrierattr_t;
struct node { int value; struct node *next; };
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_barrier_init(pthread_barrier_t *, const pthread_barrierattr_t *, unsigned);
int pthread_barrier_destroy(pthread_barrier_t *);
int pthread_barrier_wait(pthread_barrier_t *);
int pthread_barrierattr_init(pthread_barrierattr_t *);
int pthread_barrierattr_destroy(pthread_barrierattr_t *);
int pthread_barrierattr_setpshared(pthread_barrierattr_t *, int);
void __VERIFIER_assert(int);
volatile int vol;
struct node n0;
struct node *p0 = &n0;
pthread_mutex_t m0;
int cnt;
static int add(int v, int w) { if (v > 1) return 1; return v + w; }
void *f1(void *arg);
void *f1(void *arg) {
    int l = 0;
    l = add(p0->value, vol);
    pthread_mutex_lock(&m0); cnt++; pthread_mutex_unlock(&m0);
    { pthread_barrierattr_t how; pthread_barrierattr_init(&how); pthread_barrierattr_setpshared(&how, 0); pthread_barrier_t fresh; pthread_barrier_init(&fresh, &how, 1); l = pthread_barrier_wait(&fresh); pthread_barrier_destroy(&fresh); pthread_barrierattr_destroy(&how); }
    return 0;
}
int main(void) {
    int l = 0;
    int mine = 0;
    void *result = 0;
    unsigned long t1;
    vol = 2;
    pthread_create(&t1, 0, f1, &mine);
    { pthread_mutex_t fresh; pthread_mutex_init(&fresh, 0); pthread_mutex_lock(&fresh); vol = p0->value; pthread_mutex_unlock(&fresh); pthread_mutex_destroy(&fresh); }
    pthread_mutex_lock(&m0); cnt++; pthread_mutex_unlock(&m0);
    pthread_join(t1, &result); __VERIFIER_assert((long)result != 2);
    __VERIFIER_assert(l != 5);
    __VERIFIER_assert(cnt == 2);
    pthread_mutex_destroy(&m0);
    return 0;
}


