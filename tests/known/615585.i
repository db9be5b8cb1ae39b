typedef unsigned long pthread_t;
typedef union { char size[56]; long align; } pthread_attr_t;
typedef union { struct { int lock; unsigned count; int owner; unsigned users; int kind; } data; char size[40]; long align; } pthread_mutex_t;
typedef union { char size[32]; long align; } sem_t;
struct pair { char tag; int value; };
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
pthread_t pthread_self(void);
int pthread_equal(pthread_t, pthread_t);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int sem_init(sem_t *, int, unsigned);
int sem_wait(sem_t *);
int sem_post(sem_t *);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
void reach_error(void);
void __assert_fail(const char *, const char *, unsigned, const char *);
void *malloc(unsigned long);
void free(void *);
void abort(void);
int x;
int y;
char bytes[4];
pthread_mutex_t m2 = { { 0, 0, 0, 0, 2 } };
sem_t sem1;
struct pair q1;
int *hp;
unsigned long me;
static struct pair both(int v) { struct pair made; made.tag = (char)v; made.value = v; return made; }
void *f1(void *arg);
void *f2(void *arg);
void *f3(void *arg);
void *f2(void *arg) {
    int l = 0;
    { struct pair seen = { 0, 0 }; sem_wait(&sem1); seen = q1; sem_post(&sem1); if (!(seen.tag == seen.value)) reach_error(); }
    pthread_mutex_lock(&m2); { int *old = hp; hp = 0; free(old); } l = pthread_mutex_unlock(&m2);
    return 0;
}
void *f3(void *arg) {
    int l = 0;
    __VERIFIER_atomic_begin(); y = x; if (x < 2) abort(); __VERIFIER_atomic_end();
    pthread_mutex_lock(&m2); if (hp) { l = *hp; } l = pthread_mutex_unlock(&m2);
    sem_wait(&sem1); q1 = both(1); sem_post(&sem1);
    me = pthread_self();
    __VERIFIER_assert(l < 2);
    return 0;
}
void *f1(void *arg) {
    int l = 0;
    void *result = 0;
    unsigned long t2;
    if (!(!pthread_equal(me, pthread_self()))) reach_error();
    pthread_create(&t2, 0, f2, (void *)2);
    pthread_join(t2, &result); l = (int)(long)result;
    l = bytes[1]; if (!(l == y || y != 4)) __assert_fail("claim", "file", 1, "function");
    return 0;
}
int main(void) {
    unsigned long t1;
    unsigned long t3;
    sem_init(&sem1, 0, 1);
    hp = malloc(4); *hp = 1;
    pthread_create(&t1, 0, f1, (void *)2);
    pthread_create(&t3, 0, f3, 0);
    __VERIFIER_assume(bytes[1] > y);
    pthread_join(t1, 0);
    pthread_join(t3, 0);
    return 0;
}
