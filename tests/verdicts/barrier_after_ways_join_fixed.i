// check --errors assertion: no-bug
/* The same with a text that is never so long. */
typedef unsigned long pthread_t;
typedef union { char size[56]; long align; } pthread_attr_t;
typedef union { char size[32]; long align; } pthread_barrier_t;
typedef union { char size[4]; int align; } pthread_barrierattr_t;
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_barrier_init(pthread_barrier_t *, const pthread_barrierattr_t *, unsigned);
int pthread_barrier_wait(pthread_barrier_t *);
void reach_error(void);
unsigned long strlen(const char *);
char *strcpy(char *, const char *);
int x;
int a[3];
pthread_barrier_t bar;
char text[4] = "x";
void *f1(void *arg);
void *f2(void *arg);
void *f2(void *arg) {
    strcpy(text, "abc");
    pthread_barrier_wait(&bar);
    return 0;
}
void *f1(void *arg) {
    int l = 0;
    l = strlen(text);
    if (!(l != 2)) reach_error();
    return 0;
}
int main(void) {
    unsigned long t1;
    unsigned long t2;
    pthread_barrier_init(&bar, 0, 2);
    pthread_create(&t1, 0, f1, 0);
    pthread_create(&t2, 0, f2, &a[1]);
    return 0;
}
