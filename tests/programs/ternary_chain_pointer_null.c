#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { int v; const char *name; struct node *l, *r; };

static const char *word(int n)
{
    return n < 0 ? "negative" :
           n == 0 ? "zero" :
           n == 1 ? "one" :
           n < 10 ? (n % 2 ? "odd digit" : "even digit") :
           n < 100 ? "two digits" : NULL;
}
static const char *or_dash(const char *s) { return s ? s : "-"; }
static struct node *find(struct node *t, int v) { return !t ? NULL : t->v == v ? t : find(v < t->v ? t->l : t->r, v); }
static const char *name_of(struct node *t) { return t ? t->name ? t->name : "unnamed" : "absent"; }
static int depth(struct node *t) { return t ? 1 + (depth(t->l) > depth(t->r) ? depth(t->l) : depth(t->r)) : 0; }
static int sum(struct node *t) { return t ? t->v + sum(t->l) + sum(t->r) : 0; }
static int *pick(int *a, int *b, int w) { return w > 0 ? a : w < 0 ? b : 0; }
static int inc(int v) { return v + 1; }
static int (*fn(int w))(int) { return w == 1 ? inc : w == 2 ? abs : 0; }

int main(void)
{
    int t[] = { -5, 0, 1, 4, 7, 42, 1000 };
    for (unsigned i = 0; i < sizeof t / sizeof *t; i++) printf("%s; ", or_dash(word(t[i])));
    printf("\n");

    struct node a = { 1, "a" }, c = { 3, NULL }, e = { 9, "e" };
    struct node b = { 2, "b", &a, &c }, d = { 5, "d", &b, &e };
    printf("%s %s %s %s\n", name_of(find(&d, 1)), name_of(find(&d, 3)), name_of(find(&d, 8)), name_of(find(NULL, 1)));
    printf("%d %d %d\n", depth(&d), sum(&d), depth(0));

    /* null pointer constants in arms */
    int x = 1, y = 2, *p, *q = NULL;
    p = x ? &x : 0; printf("%d ", *p);
    p = x ? 0 : &x; printf("%d ", p == NULL);
    p = y > 5 ? &x : NULL; printf("%d ", !p);
    p = y > 1 ? (void *)0 : &x; printf("%d ", p == 0);
    p = q ? q : y ? &y : NULL; printf("%d\n", *p);
    const char *s = p ? *p == 2 ? "two" : "other" : "null";
    printf("%s\n", s);
    p = pick(&x, &y, 1); int *r = pick(&x, &y, -1), *z = pick(&x, &y, 0);
    printf("%d %d %d\n", p ? *p : -1, r ? *r : -1, z ? *z : -1);
    *(z ? z : r) = 20;
    (p ? p : &y)[0] += 5;
    printf("%d %d\n", x, y);

    /* GNU short form in chains */
    const char *n1 = 0, *n2 = 0, *n3 = "third";
    printf("%s %s\n", n1 ?: n2 ?: n3, n1 ?: (n3 + 2 ?: "x"));
    int v = 0 ?: z ? 1 : 2;
    printf("%d\n", v);

    /* functions or null */
    for (int w = 0; w < 3; w++) { int (*f)(int) = fn(w); printf("%d ", f ? f(-7) : 0); }
    printf("\n");

    /* void pointers, arrays and string literals in one chain */
    char buf[6] = "array"; void *vp = buf;
    char *m = y == 20 ? buf : y == 21 ? vp : 0;
    printf("%s\n", m);
    m = y == 21 ? buf : y == 20 ? vp : "lit";
    printf("%d %s\n", m == buf, y ? m + 3 : "none");
    printf("%c\n", *(y ? "yes" : "no"));
    printf("%zu %zu\n", sizeof(1 ? buf : 0), sizeof(*(1 ? &buf : 0)));

    /* nested conditions as conditions */
    int k = (p ? *p : 0) ? (q ? 1 : 2) : 3;
    printf("%d\n", k);
    k = p && !q ? r == &y ? 100 : 200 : 300;
    printf("%d\n", k);
    struct node *cur = &d;
    int steps = 0;
    while (cur) { steps = steps * 10 + cur->v; cur = cur->l ? cur->l : cur->r; }
    printf("%d\n", steps);
    cur = find(&d, 2);
    return cur ? cur->r ? cur->r->v : 1 : 0;
}
