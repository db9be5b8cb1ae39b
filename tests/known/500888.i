typedef union { struct { int lock; unsigned count; int owner; unsigned users; int kind; } data; char size[40]; long align; } pthread_mutex_t;
typedef union { char size[4]; int align; } pthread_mutexattr_t;
struct bits { unsigned lo : 3; unsigned hi : 5; int mid : 4; _Bool on : 1; };
int thrd_create(unsigned long *, int (*)(void *), void *);
int thrd_join(unsigned long, int *);
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
void __assert_fail(const char *, const char *, unsigned, const char *);
void *memcpy(void *, const void *, unsigned long);
int sprintf(char *, const char *, ...);
int x;
int a[3];
unsigned u;
char bytes[4];
struct bits bf;
int *ip = &x;
pthread_mutex_t m0;
pthread_mutex_t m3;
int cnt;
char busy;
static int inc(int v) { return v + 1; }
int (*fp)(int);
void __VERIFIER_atomic_take(void) { __VERIFIER_assume(busy == 0); busy = 1; }
int g1(void *arg);
int g1(void *arg) {
    int l = 0;
    __VERIFIER_atomic_take();
    l = __atomic_fetch_or(&u, 0, 0);
    cnt++; busy = 0;
    pthread_mutex_lock(&m0); { struct bits made; made.hi = 0; l = made.lo & 1; bf.hi = made.hi; } a[x & 1] = (ip == &x);  pthread_mutex_unlock(&m0);
    sprintf(bytes, "%d", l & 7);
    l = ((unsigned char *)&a[1])[0];
    memcpy(&a[0], &a[1], 4);
    fp = inc;
    a[2] ^= 0;
    return 0;
}
int main(void) {
    int l = 0;
    int code = 0;
    unsigned long t1;
    pthread_mutex_init(&m3, 0);
    thrd_create(&t1, g1, 0);
    __VERIFIER_atomic_take(); cnt++;
    __VERIFIER_assert(a[2] < 2);
    busy = 0;
    a[2] = x;
    if (2 & 1) { if (a[2] <= 1) l = fp(1); }
    thrd_join(t1, &code); l = code;
    if (!(cnt == 2)) __assert_fail("claim", "file", 1, "function");
    return 0;
}
