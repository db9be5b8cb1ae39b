#include <pthread.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>

static int results[3];
static int reached;

static void deep(int n, int *out)
{
    if (n == 0) pthread_exit(out);         /* ends the thread from a nested call */
    int local = n;
    deep(n - 1, out);
    reached += local;                      /* never */
}
static void *nested(void *arg) { deep(5, arg); reached = 100; return NULL; }
static void *looped(void *arg)
{
    for (int i = 0; ; i++) {
        switch (i) {
        case 7: pthread_exit((void *)(intptr_t)i);
        default: results[0] += i;
        }
    }
}
static void *cond(void *arg)
{
    intptr_t v = (intptr_t)arg;
    v > 5 ? pthread_exit((void *)(v * 10)) : (void)0;
    return (void *)(v + 1);
}
static void *null_value(void *arg) { pthread_exit(NULL); }
static void *static_value(void *arg) { static int kept = 55; kept++; pthread_exit(&kept); return 0; }
static void *heap_value(void *arg) { char *s = malloc(8); sprintf(s, "v%d", *(int *)arg); pthread_exit(s); }
static void *text_value(void *arg) { pthread_exit("constant text"); }
static void helper(void *(*f)(void *), void *a) { pthread_exit(f(a)); }
static void *plain(void *arg) { return (int *)arg + 1; }
static void *through(void *arg) { helper(plain, arg); return NULL; }
static void *child_of_child(void *arg)
{
    pthread_t t;
    void *r;
    pthread_create(&t, NULL, cond, (void *)9);
    pthread_join(t, &r);
    pthread_exit((void *)((intptr_t)r + 1));
}

static void *run(void *(*f)(void *), void *a)
{
    pthread_t t;
    void *r = &results[2];
    if (pthread_create(&t, NULL, f, a)) exit(9);
    if (pthread_join(t, &r)) exit(8);
    return r;
}

int main(void)
{
    int *p = run(nested, &results[1]);
    printf("%d %d\n", p == &results[1], reached);
    printf("%ld\n", (long)(intptr_t)run(looped, NULL));
    printf("%d\n", results[0]);
    printf("%ld\n", (long)(intptr_t)run(cond, (void *)3));
    printf("%ld\n", (long)(intptr_t)run(cond, (void *)8));
    printf("%d\n", run(null_value, NULL) == NULL);
    printf("%d\n", *(int *)run(static_value, NULL));
    printf("%d\n", *(int *)run(static_value, NULL));
    int k = 77;
    char *s = run(heap_value, &k);
    printf("%s\n", s);
    free(s);
    printf("%s\n", (char *)run(text_value, NULL));
    int arr[2] = { 1, 42 };
    printf("%d\n", *(int *)run(through, arr));
    printf("%ld\n", (long)(intptr_t)run(child_of_child, NULL));
    return reached;
}
