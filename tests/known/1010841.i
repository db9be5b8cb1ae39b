typedef unsigned long pthread_t;
typedef union { char size[56]; long align; } pthread_attr_t;
typedef union { struct { int lock; unsigned count; int owner; unsigned users; int kind; } data; char size[40]; long align; } pthread_mutex_t;
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int thrd_create(unsigned long *, int (*)(void *), void *);
int thrd_join(unsigned long, int *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
void reach_error(void);
volatile int vol;
pthread_mutex_t m0;
pthread_mutex_t m3;
_Bool taken;
short winners;
void *f2(void *arg);
int g1(void *arg);
void *f2(void *arg) {
    return 0;
}
int g1(void *arg) {
    vol = 1;
    if (pthread_mutex_trylock(&m0) == 0) { if (!taken) { taken = 1; winners++; } pthread_mutex_unlock(&m0); }
    return 0;
}
int main(void) {
    int l = 0;
    int code = 0;
    unsigned long t1;
    unsigned long t3;
    thrd_create(&t1, g1, 0);
    l = 1 % vol;
    pthread_mutex_lock(&m3); if (!taken) { taken = 1; winners++; } pthread_mutex_unlock(&m3);
    pthread_create(&t3, 0, f2, 0);
    thrd_join(t1, &code); l = code;
    pthread_join(t3, 0);
    if (!(winners == 1)) reach_error();
    return 0;
}

