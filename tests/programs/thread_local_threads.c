#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define N 3
static _Thread_local int plain;
_Thread_local int init = 100;
static __thread char name[8] = "none";
static _Thread_local struct { int a; int *self; } st = { 7 };
static __thread int table[3] = { 1, 2, 3 };
extern _Thread_local long below;
static int shared;
static int *addr[N];
static pthread_barrier_t bar;
static int result[N][6], main_seen, distinct;

static int calls(void) { static _Thread_local int n = 10; return ++n; }
static void bump(int *p, int k) { *p += k; }
static int *where(void) { return &plain; }

static void *work(void *arg)
{
    int id = *(int *)arg;
    int fresh = plain == 0 && init == 100 && st.a == 7 && st.self == 0 && table[2] == 3 && strcmp(name, "none") == 0;
    plain = id;
    for (int i = 0; i <= id; i++) { init += 10; calls(); }
    st.self = &st.a;
    *st.self += id;
    sprintf(name, "t%d", id);
    bump(&table[1], id * 10);
    below -= id;
    addr[id] = where();
    pthread_barrier_wait(&bar);              /* everybody has written its own */
    if (id == 0) {
        *addr[1] += 500;                     /* another thread's object through its address */
        distinct = addr[0] != addr[1] && addr[1] != addr[2];
    }
    pthread_barrier_wait(&bar);
    result[id][0] = plain * 10 + fresh;
    result[id][1] = init;
    result[id][2] = st.a * 100 + (st.self == &st.a);
    result[id][3] = calls();
    result[id][4] = name[1] - '0' + table[1] * 10;
    result[id][5] = (int)below;
    return NULL;
}
static void *second(void *arg) { plain++; return plain == 1 && calls() == 11 ? arg : NULL; }

int main(void)
{
    pthread_t t[N];
    int id[N];
    plain = 42; init = 1; strcpy(name, "main"); table[1] = -1; below = 0;
    st.a = 70; calls(); calls();
    pthread_barrier_init(&bar, NULL, N);
    for (int i = 0; i < N; i++) { id[i] = i; pthread_create(&t[i], NULL, work, &id[i]); }
    for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
    pthread_barrier_destroy(&bar);
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 6; k++) printf("%d ", result[i][k]);
        printf("\n");
    }
    printf("%d\n", distinct);
    printf("%d %d %s %d %ld %d %d\n", plain, init, name, table[1], below, st.a, calls());
    for (int i = 0; i < 2; i++) {            /* a new thread starts from the initial values */
        void *r;
        pthread_create(&t[0], NULL, second, &shared);
        pthread_join(t[0], &r);
        printf("%d ", r == &shared);
    }
    printf("%d\n", plain);
    return 0;
}
_Thread_local long below = 1000;
