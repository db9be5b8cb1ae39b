typedef unsigned long pthread_t;
typedef union { char size[56]; long align; } pthread_attr_t;
typedef union { struct { int lock; unsigned count; int owner; unsigned users; int kind; } data; char size[40]; long align; } pthread_mutex_t;
typedef union { char size[4]; int align; } pthread_mutexattr_t;
typedef volatile int pthread_spinlock_t;
struct pair { char tag; int value; };
union mixed { int word; unsigned char byte[4]; short half[2]; };
struct node { int value; struct node *next; };
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutexattr_init(pthread_mutexattr_t *);
int pthread_mutexattr_destroy(pthread_mutexattr_t *);
int pthread_mutexattr_settype(pthread_mutexattr_t *, int);
int pthread_mutexattr_gettype(const pthread_mutexattr_t *, int *);
int pthread_mutexattr_setprotocol(pthread_mutexattr_t *, int);
int pthread_spin_trylock(pthread_spinlock_t *);
int pthread_spin_unlock(pthread_spinlock_t *);
void __VERIFIER_assume(int);
void reach_error(void);
void __assert_fail(const char *, const char *, unsigned, const char *);
void *malloc(unsigned long);
void free(void *);
int x;
int y;
int a[3];
unsigned u;
_Bool flag;
struct pair s;
union mixed un;
struct node n0;
struct node *p0 = &n0;
int *ip = &x;
pthread_mutex_t m3;
pthread_spinlock_t spin;
int cnt;
int *hp;
char busy;
void __VERIFIER_atomic_take(void) { __VERIFIER_assume(busy == 0); busy = 1; }
void *f1(void *arg);
void *f2(void *arg);
void *f2(void *arg) {
    int l = 0;
    int k = 0;
    ip = &s.value;
    if (pthread_spin_trylock(&spin) == 0) { { int *old = hp; hp = 0; free(old); } pthread_spin_unlock(&spin); }
    ((unsigned char *)&y)[1] = 0;
    __VERIFIER_atomic_take(); cnt++;
    busy = 0;
    { int i16 = 0; while (flag >= a[2] && i16++ < 2) { un.half[0] = l; switch (a[y & 1]) { case 1: { int junk[2]; junk[0] = 0; l = (unsigned)junk[a[y & 1] & 1] & 1; } p0 = &n0;  case 0: { struct pair made; made.tag = 1; made.value = 2; l = ((unsigned char *)&made)[1] & 1; }  break; case 2: k = 1; default: break; }  } }
    return 0;
}
void *f1(void *arg) {
    int l = 0;
    unsigned long t2;
    if (pthread_spin_trylock(&spin) == 0) { if (hp) { l = *hp; } pthread_spin_unlock(&spin); }
    pthread_create(&t2, 0, f2, 0);
    __VERIFIER_atomic_take();
    if (!(l < 2)) __assert_fail("claim", "file", 1, "function");
    pthread_join(t2, 0);
    cnt++; busy = 0;
    return (void *)(long)l;
    return 0;
}
int main(void) {
    int l = 0;
    int turn = 0;
    void *result = 0;
    unsigned long t1;
    pthread_mutex_init(&m3, 0);
    hp = malloc(4); *hp = 1;
    pthread_create(&t1, 0, f1, &turn);
    { pthread_mutexattr_t how; pthread_mutexattr_init(&how); pthread_mutexattr_settype(&how, 0); pthread_mutexattr_gettype(&how, &l); pthread_mutexattr_setprotocol(&how, 0); pthread_mutex_t fresh; pthread_mutex_init(&fresh, &how); pthread_mutex_lock(&fresh); pthread_mutex_unlock(&fresh); pthread_mutex_destroy(&fresh); pthread_mutexattr_destroy(&how); }
    pthread_join(t1, &result); if (!((long)result != 4)) reach_error();
    if (!(flag != 3)) reach_error();
    if (!(u != 5)) reach_error();
    return 0;
}
