typedef unsigned long pthread_t;
typedef union { char size[56]; long align; } pthread_attr_t;
typedef union { char size[56]; long align; } pthread_rwlock_t;
typedef union { char size[8]; long align; } pthread_rwlockattr_t;
struct pair { char tag; int value; };
struct nested { struct pair inner; short list[2]; };
struct node { int value; struct node *next; };
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int thrd_create(unsigned long *, int (*)(void *), void *);
int thrd_detach(unsigned long);
int pthread_rwlock_init(pthread_rwlock_t *, const pthread_rwlockattr_t *);
void __VERIFIER_assert(int);
void reach_error(void);
void __assert_fail(const char *, const char *, unsigned, const char *);
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
int x;
int a[3];
short sh;
struct pair s;
struct pair s2;
struct nested nest;
int *ip = &x;
pthread_rwlock_t rw;
int r1;
int r2;
struct node *head;
int *hp;
int *np;
static int inc(int v) { return v + 1; }
static int dec(int v) { return v - 1; }
static int next(void) { static int last; last++; return last; }
int (*fp)(int);
void *f1(void *arg);
int g2(void *arg);
int g2(void *arg) {
    int l = 0;
    if (!(*ip)) { np = &x; }
    if (hp) { l = *hp; }
    { struct node *fresh = calloc(1, sizeof *fresh); struct node *old = head; fresh->next = old; head = fresh; }
    fp = inc;
    if (!(l < 2)) reach_error();
    return 0;
}
void *f1(void *arg) {
    int l = 0;
    { int *old = hp; hp = 0; free(old); }
    { struct node *fresh = malloc(sizeof *fresh); fresh->value = 1; fresh->next = head; if (!__sync_bool_compare_and_swap(&head, fresh->next, fresh)) free(fresh); }
    if (l < 1) {  *np = 1; }
    r1 = fp(1);
    s2 = s;
    r2 = fp(1);
    return 0;
}
int main(void) {
    int l = 0;
    void *result = 0;
    unsigned long t1;
    unsigned long t2;
    pthread_rwlock_init(&rw, 0);
    fp = dec;
    hp = malloc(4); *hp = 1;
    a[__VERIFIER_nondet_int() & 1] = 1;
    pthread_create(&t1, 0, f1, 0);
    thrd_create(&t2, g2, (void *)3);
    l = __atomic_nand_fetch(&sh, 2, 5);
    pthread_join(t1, &result); l = (int)(long)result;
    thrd_detach(t2);
    if (!(!(x == 1 && (*ip) == 3))) reach_error();
    if (!(nest.inner.value == 0 || (*ip) != 3)) __assert_fail("claim", "file", 1, "function");
    __VERIFIER_assert(head != 0); l = 0; for (struct node *each = head; each; each = each->next) l++; if (!(l == 2)) reach_error();
    return 0;
}
