#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct result { int count; char text[16]; struct result *next; };
struct task {
    int id, n;
    int *values;
    int (*op)(int, int);
    const char *label;
    struct { int lo, hi; } range;
    struct result *res;
};
static int add(int a, int b) { return a + b; }
static int mul(int a, int b) { return a * b; }
static int larger(int a, int b) { return a > b ? a : b; }

static void *run(void *arg)
{
    struct task *t = arg;
    int acc = t->values[t->range.lo];
    for (int i = t->range.lo + 1; i < t->range.hi; i++) acc = t->op(acc, t->values[i]);
    t->res = calloc(1, sizeof *t->res);
    t->res->count = acc;
    snprintf(t->res->text, sizeof t->res->text, "%s-%d", t->label, t->id);
    free(t->values);                         /* made by the creator, ended here */
    return t;
}
static struct task *make(int id, int n, int (*op)(int, int), const char *label)
{
    struct task *t = malloc(sizeof *t);
    *t = (struct task){ .id = id, .n = n, .op = op, .label = label, .range = { 0, n } };
    t->values = malloc(n * sizeof *t->values);
    for (int i = 0; i < n; i++) t->values[i] = (i * 7 + id) % 11 + 1;
    return t;
}
/* the thread owns its argument and hands back a list built on the heap */
static void *list(void *arg)
{
    int n = *(int *)arg;
    free(arg);
    struct result *head = NULL;
    for (int i = 0; i < n; i++) {
        struct result *r = malloc(sizeof *r);
        r->count = i * n;
        strcpy(r->text, i % 2 ? "odd" : "even");
        r->next = head;
        head = r;
    }
    return head;
}
struct tree { int key; struct tree *l, *r; };
static struct tree *grow(int lo, int hi)
{
    if (lo > hi) return NULL;
    struct tree *t = malloc(sizeof *t);
    t->key = (lo + hi) / 2;
    t->l = grow(lo, t->key - 1);
    t->r = grow(t->key + 1, hi);
    return t;
}
static void *sum_tree(void *arg)
{
    struct tree *t = arg;
    long *s = calloc(1, sizeof *s), *part;
    if (!t) return s;
    *s = t->key;
    pthread_t left;
    int threaded = t->l && t->l->l;          /* a thread for the bigger left parts only */
    if (threaded) pthread_create(&left, NULL, sum_tree, t->l);
    else { part = sum_tree(t->l); *s += *part; free(part); }
    part = sum_tree(t->r); *s += *part; free(part);
    if (threaded) { pthread_join(left, (void **)&part); *s += *part; free(part); }
    free(t);
    return s;
}

int main(void)
{
    int (*ops[])(int, int) = { add, mul, larger };
    const char *labels[] = { "sum", "product", "max" };
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, run, make(i, 6 + i, ops[i], labels[i]));
    for (int i = 0; i < 3; i++) {
        struct task *d;
        pthread_join(t[i], (void **)&d);
        printf("%d %s %d %d\n", d->id, d->res->text, d->res->count, d->range.hi);
        free(d->res);
        free(d);
    }
    for (int i = 0; i < 3; i++) { int *n = malloc(sizeof *n); *n = i + 2; pthread_create(&t[i], NULL, list, n); }
    for (int i = 0; i < 3; i++) {
        void *r;
        pthread_join(t[i], &r);
        for (struct result *p = r, *nx; p; p = nx) { printf("%d:%s ", p->count, p->text); nx = p->next; free(p); }
        printf("\n");
    }
    long *s = sum_tree(grow(1, 31));
    printf("%ld\n", *s);
    free(s);
    return 0;
}
