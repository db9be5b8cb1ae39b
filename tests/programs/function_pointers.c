#include <stdio.h>
#include <stdlib.h>

typedef int binop(int, int);
typedef int (*binop_p)(int, int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static double half(double d) { return d / 2; }
static void hello(void) { printf("hello\n"); }
static int inc(int x) { return x + 1; }
static int dbl(int x) { return x * 2; }

static binop_p table[] = { add, &sub, *mul };
static const struct { char sym; binop *fn; } ops[] = { { '+', add }, { '-', sub }, { '*', mul } };

static binop_p find(char c)
{
    for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++)
        if (ops[i].sym == c) return ops[i].fn;
    return NULL;
}
static int (*pick(int w))(int) { return w ? inc : dbl; }
static int (*(*chooser(int w))(int))(int) { return w ? pick : 0; }
static int apply(int f(int, int), int a, int b) { return f(a, b); }
static int fold(int *v, int n, int init, binop_p f) { while (n--) init = f(init, *v++); return init; }
static int compose(int (**fs)(int), int x) { while (*fs) x = (*fs++)(x); return x; }
static int countdown(int (*self)(), int n) { return n ? n + self(self, n - 1) : 0; }

struct shape { int w, h; int (*area)(const struct shape *); void (*scale)(struct shape *, int); };
static int area(const struct shape *s) { return s->w * s->h; }
static int tri_area(const struct shape *s) { return area(s) / 2; }
static void scale(struct shape *s, int k) { s->w *= k; s->h *= k; }

static int calls;
static binop_p counted(binop_p f) { calls++; return f; }

int main(void)
{
    for (int i = 0; i < 3; i++) printf("%d ", table[i](7, 3));
    printf("%d\n", (*table[0])(1, 1));
    binop_p f = add;
    printf("%d %d %d %d\n", f(1, 2), (*f)(1, 2), (**f)(1, 2), (***add)(1, 2));
    f = &mul;
    printf("%d %d %d\n", f(4, 5), f == mul, f != &add);
    printf("%d %d\n", find('-')(10, 4), find('?') == NULL);
    printf("%d %d\n", pick(1)(10), (*pick(0))(10));
    printf("%d\n", chooser(1)(0)(50));
    printf("%d %d\n", apply(sub, 9, 4), apply(*table, 9, 4));
    int v[] = { 1, 2, 3, 4 };
    printf("%d %d\n", fold(v, 4, 0, add), fold(v, 4, 1, mul));
    int (*chain[])(int) = { inc, dbl, dbl, inc, 0 };
    printf("%d\n", compose(chain, 1));

    struct shape s = { 3, 4, area, scale }, *p = &s;
    printf("%d\n", s.area(&s));
    p->scale(p, 2);
    printf("%d\n", (*p->area)(p));
    p->area = tri_area;
    printf("%d\n", p->area(p));

    void (*h)(void) = hello;
    h ? h() : (void)0;
    double (*hd)(double) = half;
    printf("%.2f\n", hd(5));            /* int argument converted */
    void *raw = (void *)sub;
    printf("%d\n", ((binop *)raw)(8, 3));
    void (*gen)(void) = (void (*)(void))add;
    printf("%d\n", ((int (*)(int, int))gen)(20, 3));
    printf("%d", counted(add)(1, 1));
    printf(" %d\n", calls);
    binop_p *pf = &table[1];
    printf("%d %d\n", (*pf)(5, 1), pf[1](5, 2));
    f = calls > 0 ? sub : add;
    printf("%d\n", f(2, 1));
    printf("%d\n", (calls ? mul : add)(6, 7));
    printf("%d\n", countdown(countdown, 5));
    binop local;                         /* declares a function through the typedef */
    printf("%d\n", local(2, 8));
    printf("%d %zu\n", add ? 1 : 2, sizeof f);
    return table[1](10, 5);
}
int local(int a, int b) { return a << b; }
