typedef unsigned long pthread_t;
typedef union { char size[56]; long align; } pthread_attr_t;
typedef union { struct { int lock; unsigned count; int owner; unsigned users; int kind; } data; char size[40]; long align; } pthread_mutex_t;
typedef union { char size[4]; int align; } pthread_mutexattr_t;
struct pair { char tag; int value; };
struct nested { struct pair inner; short list[2]; };
union mixed { int word; unsigned char byte[4]; short half[2]; };
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int pthread_mutexattr_init(pthread_mutexattr_t *);
int pthread_mutexattr_settype(pthread_mutexattr_t *, int);
int pthread_attr_init(pthread_attr_t *);
int pthread_attr_destroy(pthread_attr_t *);
int pthread_attr_getdetachstate(const pthread_attr_t *, int *);
int pthread_attr_setguardsize(pthread_attr_t *, unsigned long);
void reach_error(void);
void *malloc(unsigned long);
void free(void *);
void *memcpy(void *, const void *, unsigned long);
int x;
int y;
int a[3];
unsigned u;
unsigned char uc;
unsigned short us;
volatile int vol;
struct pair s2;
struct nested nest;
union mixed un;
pthread_mutex_t m3;
int cnt;
unsigned long coded;
static void bump(int *to, int by) { *to = *to + by; }
void __VERIFIER_atomic_own(void);
void *f1(void *arg);
void __VERIFIER_atomic_own(void) {
    nest.inner.value = 2;
    nest.inner.value = vol;
}
void *f1(void *arg) {
    int l = 0;
    int k = 0;
    { struct pair *made = malloc(sizeof *made); made->tag = 1; made->value = 2; memcpy(&s2, made, sizeof s2); l = ((char *)&s2)[2] & 1; free(made); }
    k = (1 * uc);
    coded |= 1;
    __VERIFIER_atomic_own();
    for (int i16 = 0; i16 < 2; i16++) { { union mixed kept = un; kept.byte[2] = 1; un = kept; }  }
    { unsigned long where = (unsigned long)&x; where ^= 3; where = where << 2; l = *(int *)((where >> 2) ^ 3); }
    if (nest.inner.value == 1) { bump(&un.word, nest.inner.value);  } else { { pthread_attr_t how; pthread_attr_init(&how); pthread_attr_getdetachstate(&how, &l); pthread_attr_setguardsize(&how, 0); pthread_attr_destroy(&how); } l = __builtin_popcount(u);  }
    return (void *)1;
    return 0;
}
int main(void) {
    int l = 0;
    unsigned long t1;
    { pthread_mutexattr_t how; pthread_mutexattr_init(&how); pthread_mutexattr_settype(&how, 0); pthread_mutex_init(&m3, &how); }
    coded = (unsigned long)&cnt;
    pthread_create(&t1, 0, f1, 0);
    l = (unsigned)a[y & 1];
    { unsigned long seen = coded; *(int *)(seen & ~1UL) = 1 + (int)(seen & 1); }
    { unsigned long same = t1; pthread_join(same, 0); }
    if (!(nest.inner.value < 5)) reach_error();
    if (!(!(a[y & 1] == 0 && us == 3))) reach_error();
    if (!(cnt == 1)) reach_error();
    return 0;
}
