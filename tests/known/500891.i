typedef unsigned long pthread_t;
typedef union { char size[56]; long align; } pthread_attr_t;
typedef union { char size[32]; long align; } sem_t;
struct pair { char tag; int value; };
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void pthread_exit(void *);
int sem_init(sem_t *, int, unsigned);
int sem_wait(sem_t *);
int sem_trywait(sem_t *);
int sem_post(sem_t *);
void reach_error(void);
void *realloc(void *, unsigned long);
void free(void *);
_Atomic int at;
struct pair s;
sem_t sem0;
sem_t sem1;
int cnt;
int in;
int data;
char busy;
void *f1(void *arg);
void *f2(void *arg);
void *f2(void *arg) {
    int l = 0;
    if (sem_trywait(&sem0) == 0) { if (!(data == 1)) reach_error(); }
    if (!__sync_lock_test_and_set(&busy, 1)) { cnt++; __sync_lock_release(&busy); }
    sem_wait(&sem1); in++; l = in; in--; sem_post(&sem1);
    if (!(l < 2)) reach_error();
    return (void *)(long)l;
    return 0;
}
void *f1(void *arg) {
    int l = 0;
    l = ({ int kept = at; kept + 0; });
    { int *block = realloc(0, 4); *block = at; s.value = *block; free(block); }
    sem_wait(&sem1); in++; if (!(in == 1)) reach_error(); in--; sem_post(&sem1);
    return 0;
}
int main(void) {
    unsigned long t1;
    unsigned long t2;
    sem_init(&sem1, 0, 1);
    sem_init(&sem0, 0, 0);
    pthread_create(&t1, 0, f1, 0);
    pthread_create(&t2, 0, f2, 0);
    data = 1;
    sem_post(&sem0);
    if (__sync_bool_compare_and_swap(&busy, 0, 1)) { cnt++; busy = 0; }
    { unsigned long same = t1; pthread_join(same, 0); }
    pthread_exit(0);
    return 0;
}
