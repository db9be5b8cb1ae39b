typedef unsigned long pthread_t;
typedef union { char size[56]; long align; } pthread_attr_t;
typedef union { struct { int lock; unsigned count; int owner; unsigned users; int kind; } data; char size[40]; long align; } pthread_mutex_t;
typedef union { char size[4]; int align; } pthread_mutexattr_t;
typedef union { char size[48]; long long align; } pthread_cond_t;
typedef union { char size[4]; int align; } pthread_condattr_t;
typedef union { char size[40]; long align; } mtx_t;
struct node { int value; struct node *next; };
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int thrd_create(unsigned long *, int (*)(void *), void *);
int thrd_join(unsigned long, int *);
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_broadcast(pthread_cond_t *);
int mtx_init(mtx_t *, int);
void __VERIFIER_assert(int);
void reach_error(void);
void __assert_fail(const char *, const char *, unsigned, const char *);
void *malloc(unsigned long);
void free(void *);
int x;
int y;
int a[3];
int *ip = &x;
pthread_mutex_t m4;
mtx_t mx;
pthread_cond_t cv;
volatile int go;
struct node *head;
void *f1(void *arg);
void *f3(void *arg);
int g2(void *arg);
int g2(void *arg) {
    { struct node *fresh = malloc(sizeof *fresh); head = fresh; fresh->value = 1; }
    pthread_mutex_lock(&m4); while (!go) pthread_cond_wait(&cv, &m4); if (!(go == 1)) reach_error(); pthread_mutex_unlock(&m4);
    return 0;
}
void *f3(void *arg) {
    if (!a[2]) { { pthread_mutex_t *fresh = malloc(sizeof *fresh); if ((*ip)) pthread_mutex_init(fresh, 0); pthread_mutex_lock(fresh); pthread_mutex_unlock(fresh); free(fresh); } }
    pthread_mutex_lock(&m4); go = 1; pthread_cond_broadcast(&cv); pthread_mutex_unlock(&m4);
    return 0;
}
void *f1(void *arg) {
    int l = 0;
    int code = 0;
    unsigned long t2;
    { struct node *found = head; if (found) { if (!((found->value & 1) == 1)) reach_error(); } }
    thrd_create(&t2, g2, 0);
    thrd_join(t2, &code); l = code;
    return (void *)1;
    return 0;
}
int main(void) {
    int l = 0;
    int k = 0;
    void *result = 0;
    unsigned long t1;
    unsigned long t3;
    mtx_init(&mx, 0);
    pthread_cond_init(&cv, 0);
    pthread_create(&t1, 0, f1, 0);
    pthread_create(&t3, 0, f3, &y);
    l = ((unsigned char *)&x)[0];
    pthread_join(t1, &result); l = (int)(long)result;
    pthread_join(t3, 0);
    if (!(l + k < 4 + 2)) __assert_fail("claim", "file", 1, "function");
    __VERIFIER_assert(x != 5);
    return 0;
}


