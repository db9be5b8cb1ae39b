typedef unsigned long pthread_t;
struct timespec { long tv_sec; long tv_nsec; };
typedef union { char size[56]; long align; } pthread_attr_t;
typedef union { struct { int lock; unsigned count; int owner; unsigned users; int kind; } data; char size[40]; long align; } pthread_mutex_t;
typedef union { char size[32]; long align; } sem_t;
struct pair { char tag; int value; };
struct node { int value; struct node *next; };
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int thrd_create(unsigned long *, int (*)(void *), void *);
int thrd_join(unsigned long, int *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int sem_init(sem_t *, int, unsigned);
int sem_timedwait(sem_t *, const struct timespec *);
int sem_post(sem_t *);
void reach_error(void);
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
struct timespec when;
int x;
int y;
int a[3];
unsigned short us;
struct pair s;
int *ip = &x;
pthread_mutex_t m0;
sem_t sem1;
struct node *head;
int *hp;
static int inc(int v) { return v + 1; }
static int dec(int v) { return v - 1; }
static int next(void) { static int last; last++; return last; }
int (*table[2])(int) = { inc, dec };
void __VERIFIER_atomic_own(void);
void *f1(void *arg);
void *f2(void *arg);
int g3(void *arg);
void __VERIFIER_atomic_own(void) {
    int l = 0;
    int k = 0;
    l = 2; k = __atomic_compare_exchange_n(&y, &l, 1, 1, 5, 0);
    pthread_mutex_lock(&m0); l = k;  pthread_mutex_unlock(&m0);
}
int g3(void *arg) {
    if (sem_timedwait(&sem1, &when) == 0) { { int *old = hp; hp = 0; free(old); } sem_post(&sem1); }
    return a[2] & 3;
    return 0;
}
void *f2(void *arg) {
    int l = 0;
    int k = 0;
    if (hp) { l = *hp; }
    us = (1 == us);
    if (!(l < 2)) reach_error();
    ip = &a[table[k & 1](2) & 1];
    return 0;
}
void *f1(void *arg) {
    { struct node *fresh = calloc(1, sizeof *fresh); struct node *old = head; fresh->next = old; if (!__atomic_compare_exchange_n(&head, &old, fresh, 0, 5, 5)) fresh->next = old; }
    us = 2;
    { int i13 = 0; while (us > 0 && i13++ < 2) { __VERIFIER_atomic_own();  } }
    return 0;
}
int main(void) {
    int l = 0;
    int turn = 0;
    int code = 0;
    unsigned long t1;
    unsigned long t2;
    unsigned long t3;
    sem_init(&sem1, 0, 1);
    hp = malloc(4); *hp = 1;
    pthread_create(&t1, 0, f1, &s.value);
    pthread_create(&t2, 0, f2, 0);
    thrd_create(&t3, g3, &turn);
    { struct node *fresh = malloc(sizeof *fresh); fresh->value = 1; fresh->next = head; if (!__sync_bool_compare_and_swap(&head, fresh->next, fresh)) free(fresh); }
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    thrd_join(t3, &code); l = code;
    if (!(a[2] == 0 || s.value != 5)) reach_error();
    if (!(l != 4)) reach_error();
    if (!(head != 0)) reach_error(); l = 0; for (struct node *each = head; each; each = each->next) l++; if (!(l == 2)) reach_error();
    return 0;
}
