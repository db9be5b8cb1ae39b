typedef unsigned long pthread_t;
typedef union { char size[56]; long align; } pthread_attr_t;
typedef union { char size[32]; long align; } sem_t;
typedef union { char size[40]; long align; } mtx_t;
struct pair { char tag; int value; };
struct nested { struct pair inner; short list[2]; };
struct node { int value; struct node *next; };
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int sem_wait(sem_t *);
int sem_post(sem_t *);
int mtx_init(mtx_t *, int);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
void reach_error(void);
int scanf(const char *, ...);
int y;
unsigned u;
struct nested nest;
struct node n0;
struct node *p0 = &n0;
mtx_t mx;
sem_t sem0;
sem_t sem2;
int data;
int ready;
int *vp;
void *f1(void *arg);
void *f2(void *arg);
void *f2(void *arg) {
    int l = 0;
    sem_wait(&sem0);
    l = (unsigned)vp[1] & 1; *vp = 2; sem_post(&sem2);
    nest.list[y & 1] = 1;
    ready = 1;
    data = 1;
    return (void *)1;
    return 0;
}
void *f1(void *arg) {
    int l = 0;
    __VERIFIER_assume(u);
    if (ready) { __VERIFIER_assert(data == 1); }
    { int size = 2; int many[size]; many[0] = 1; vp = many; sem_post(&sem0); sem_wait(&sem2); if (!(many[0] == 2)) reach_error(); }
    if (y == y) { l = 2 % u; }
    return (void *)(long)(p0->value & 3);
    return 0;
}
int main(void) {
    int l = 0;
    int k = 0;
    void *result = 0;
    unsigned long t1;
    unsigned long t2;
    mtx_init(&mx, 0);
    pthread_create(&t1, 0, f1, 0);
    pthread_create(&t2, 0, f2, 0);
    u = (y + 1);
    scanf("%d", &l); l = l & 1;
    pthread_join(t1, 0);
    pthread_join(t2, &result); __VERIFIER_assert((long)result != 5);
    __VERIFIER_assert(u != 2);
    if (!(l + k < 5 + 2)) reach_error();
    return 0;
}


