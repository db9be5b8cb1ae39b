typedef unsigned long pthread_t;
typedef union { char size[56]; long align; } pthread_attr_t;
typedef union { struct { int lock; unsigned count; int owner; unsigned users; int kind; } data; char size[40]; long align; } pthread_mutex_t;
typedef union { char size[4]; int align; } pthread_mutexattr_t;
typedef union { char size[32]; long align; } sem_t;
struct pair { char tag; int value; };
union mixed { int word; unsigned char byte[4]; short half[2]; };
struct bits { unsigned lo : 3; unsigned hi : 5; int mid : 4; _Bool on : 1; };
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int pthread_mutexattr_init(pthread_mutexattr_t *);
int pthread_mutexattr_settype(pthread_mutexattr_t *, int);
int sem_wait(sem_t *);
void __VERIFIER_assert(int);
void reach_error(void);
void *malloc(unsigned long);
int printf(const char *, ...);
int x;
int a[3];
struct pair s2;
struct bits bf;
_Thread_local int tl;
pthread_mutex_t m3;
sem_t sem2;
union mixed un1;
int *hp;
void *f1(void *arg);
void *f1(void *arg) {
    int l = 0;
    { int *fresh = malloc(8); fresh[0] = 1; hp = fresh; }
    { int i17 = 0; do { { struct pair junk; junk.tag = 1; s2 = junk; l = (unsigned)s2.value & 1; }  } while (++i17 < 2 && x >= 0); }
    x = 0;
    un1.word = 257;
    if (l == 1) sem_wait(&sem2);
    tl++;
    __VERIFIER_assert(tl >= 1);
    return 0;
}
int main(void) {
    int l = 0;
    int k = 0;
    void *result = 0;
    unsigned long t1;
    unsigned long t2;
    { pthread_mutexattr_t how; pthread_mutexattr_init(&how); pthread_mutexattr_settype(&how, 1); pthread_mutex_init(&m3, &how); }
    pthread_create(&t1, 0, f1, 0);
    l = un1.byte[0];
    l = x; printf("%d\n", a[l + 2]);
    pthread_create(&t2, 0, f1, 0);
    tl++;
    k = un1.byte[1];
    { int *found = hp; if (found) { l = (unsigned)found[1] & 1; __VERIFIER_assert(l == ((unsigned)found[1] & 1)); if (!(l == 0)) reach_error(); } }
    __VERIFIER_assert(l == k);
    l = tl;
    pthread_join(t1, &result); l = (int)(long)result;
    pthread_join(t2, 0);
    __VERIFIER_assert(!(bf.hi == 0 && bf.hi == 6));
    __VERIFIER_assert(bf.on == 0 || bf.on != 5);
    return 0;
}
