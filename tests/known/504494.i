typedef unsigned long pthread_t;
typedef union { char size[56]; long align; } pthread_attr_t;
typedef union { struct { int lock; unsigned count; int owner; unsigned users; int kind; } data; char size[40]; long align; } pthread_mutex_t;
struct bits { unsigned lo : 3; unsigned hi : 5; int mid : 4; _Bool on : 1; };
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
void __VERIFIER_assert(int);
void reach_error(void);
_Bool __VERIFIER_nondet_bool(void);
int __VERIFIER_nondet_int(void);
void *calloc(unsigned long, unsigned long);
void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
int x;
int y;
_Atomic long atl;
struct bits bf;
pthread_mutex_t m0;
int cnt;
static int add(int v, int w) { if (v > 1) return 1; return v + w; }
static int order(const void *v, const void *w) { return *(const int *)v - *(const int *)w; }
static int own(int *to, int v);
void *f1(void *arg);
static int own(int *to, int v) {
    int l = 0;
    l = __VERIFIER_nondet_bool();
    *to = *to + 1;
    return l + v;
}
void *f1(void *arg) {
    int l = 0;
    l = (*(int *)arg);
    if (pthread_mutex_trylock(&m0) == 0) { cnt++; pthread_mutex_unlock(&m0); }
    { struct bits made; made.hi = 0; l = made.lo & 1; bf.hi = made.hi; }
    { int row[2]; row[0] = add(x, atl); row[1] = 0; qsort(row, 2, sizeof(int), order); __VERIFIER_assert(row[0] <= row[1]); }
    return 0;
}
int main(void) {
    int l = 0;
    unsigned long t1;
    if (__VERIFIER_nondet_int()) atl = 1;
    pthread_create(&t1, 0, f1, calloc(1, sizeof(int)));
    l = own(&y, 2);
    if (pthread_mutex_trylock(&m0) == 0) { cnt++; pthread_mutex_unlock(&m0); }
    pthread_join(t1, 0);
    if (!(x != 5)) reach_error();
    if (!(x < 3)) reach_error();
    if (!(cnt == 2)) reach_error();
    return 0;
}
