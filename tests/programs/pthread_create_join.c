#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>

#define N 4
static int squares[N];
struct job { int lo, hi; long sum; };

static void *by_int(void *arg) { intptr_t k = (intptr_t)arg; squares[k] = (int)(k * k); return (void *)(k + 100); }
static void *by_ptr(void *arg) { int *p = arg; *p *= 2; return p; }
static void *summer(void *arg)
{
    struct job *j = arg;
    for (int i = j->lo; i < j->hi; i++) j->sum += i;
    return &j->sum;
}
static void *nothing(void *arg) { return NULL; }
static void *text(void *arg) { return (char *)arg + 2; }
static void *spawner(void *arg)
{
    int depth = *(int *)arg, inner = depth - 1;
    if (depth == 0) return (void *)1;
    pthread_t t;
    void *r;
    pthread_create(&t, NULL, spawner, &inner);
    pthread_join(t, &r);
    return (void *)((intptr_t)r * 2);
}
static void *heap(void *arg) { int *r = malloc(sizeof *r); *r = *(int *)arg + 1; return r; }
static pthread_t start(void *(*f)(void *), void *a)
{
    pthread_t t;
    int rc = pthread_create(&t, NULL, f, a);
    if (rc) { printf("create failed\n"); exit(2); }
    return t;
}

int main(void)
{
    pthread_t t[N];
    void *r;
    for (intptr_t i = 0; i < N; i++) printf("%d ", pthread_create(&t[i], NULL, by_int, (void *)i));
    for (int i = 0; i < N; i++) {
        int rc = pthread_join(t[i], &r);
        printf("%d:%ld:%d ", rc, (long)(intptr_t)r, squares[i]);
    }
    printf("\n");

    int v = 21;
    pthread_t a = start(by_ptr, &v);
    pthread_join(a, &r);
    printf("%d %d\n", v, r == &v);
    a = start(by_ptr, &v);                 /* one after the other on the same object */
    pthread_join(a, NULL);
    printf("%d\n", v);

    struct job jobs[3] = { { 0, 100 }, { 100, 200 }, { 200, 300 } };
    for (int i = 0; i < 3; i++) t[i] = start(summer, &jobs[i]);
    long total = 0;
    for (int i = 2; i >= 0; i--) {         /* joined in another order */
        long *part;
        pthread_join(t[i], (void **)&part);
        total += *part;
    }
    printf("%ld %ld\n", total, jobs[1].sum);

    r = &v;
    pthread_join(start(nothing, NULL), &r);
    printf("%d\n", r == NULL);
    pthread_join(start(text, "abcdef"), &r);
    printf("%s\n", (char *)r);
    int depth = 3;
    pthread_join(start(spawner, &depth), &r);
    printf("%ld\n", (long)(intptr_t)r);
    int seed = 0;
    for (int i = 0; i < 5; i++) {
        pthread_join(start(heap, &seed), &r);
        seed = *(int *)r * 2;
        free(r);
    }
    printf("%d\n", seed);
    pthread_attr_t at;
    pthread_attr_init(&at);
    pthread_create(&a, &at, by_ptr, &seed);
    pthread_attr_destroy(&at);
    pthread_join(a, NULL);
    printf("%d\n", seed);
    return 0;
}
