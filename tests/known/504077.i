typedef unsigned long pthread_t;
typedef union { char size[56]; long align; } pthread_attr_t;
typedef volatile int pthread_spinlock_t;
enum color { RED, GREEN, BLUE };
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_detach(pthread_t);
int pthread_spin_init(pthread_spinlock_t *, int);
int pthread_spin_lock(pthread_spinlock_t *);
int pthread_spin_unlock(pthread_spinlock_t *);
void __VERIFIER_assert(int);
void reach_error(void);
void *malloc(unsigned long);
void free(void *);
int y;
short sh;
enum color hue;
_Atomic int at;
pthread_spinlock_t spin;
_Bool taken;
short winners;
int *hp;
unsigned char *shared_bytes;
static int own(int *to, int v);
void *f1(void *arg);
void *f2(void *arg);
void *f2(void *arg) {
    pthread_spin_lock(&spin); if (!taken) { taken = 1; winners++; } pthread_spin_unlock(&spin);
    shared_bytes[1] = 1;
    { int *own = malloc(4); hp = own; free(own); }
    return 0;
}
static int own(int *to, int v) {
    int l = 0;
    if (l != 2) { y = 2;  } else { hue /= 3;  }
    sh = 1;
    *to = *to + 1;
    return l + v;
}
void *f1(void *arg) {
    int l = 0;
    void *result = 0;
    unsigned long t2;
    pthread_spin_lock(&spin); if (!taken) { taken = 1; winners++; } pthread_spin_unlock(&spin);
    pthread_create(&t2, 0, f2, (void *)1);
    l = shared_bytes[0] & 1;
    pthread_join(t2, &result); l = (int)(long)result;
    if (!(l == 1)) reach_error();
    return 0;
}
int main(void) {
    int l = 0;
    unsigned long t1;
    pthread_spin_init(&spin, 0);
    shared_bytes = malloc(4);
    pthread_create(&t1, 0, f1, 0);
    { int *own = malloc(4); __VERIFIER_assert(own != hp); free(own); }
    l = ++hue;
    l = at;
    pthread_detach(t1);
    free(shared_bytes);
    pthread_join(t1, 0);
    return 0;
}
