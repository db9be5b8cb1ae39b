#include <stdio.h>

int add(a, b)
int a, b;
{
    return a + b;
}

/* declarations in another order than the parameters, several types */
double blend(n, x, c, p)
    char c;
    double x;
    int n, *p;
{
    *p += n;
    return n * x + c;
}

/* narrow parameters arrive promoted and are converted back */
static int narrow(c, s, uc)
    char c; short s; unsigned char uc;
{
    return c * 1000000 + s * 1000 + uc;
}

static float fl(f, g) float f; double g; { return f + g; }

/* undeclared parameters and result are int */
implied(a, b) { return a * b; }

struct p { int x, y; };
static struct p shift(s, d) struct p s; int d; { s.x += d; s.y -= d; return s; }

static int sum(v, n)
    int v[];
    int n;
{
    int t = 0;
    while (n--) t += *v++;
    return t;
}

static int twice(f, x) int (*f)(); int x; { return f(x, x); }
static int matrix(m) int m[2][3]; { return m[1][2] + sizeof m; }
static char *skip(s, n) char *s; unsigned n; { return s + n; }
static nothing() { return 17; }
static long modify(l, r) long l; register int r; { l += r++; return l * r; }
static int wide(b) _Bool b; { return b + 1; }

/* declared without a prototype, defined after the use */
int later();
double dlater();
int (*choose())();

int main()
{
    int k = 1;
    printf("%d\n", add(2, 3));
    double d = blend(2, 1.5, 'A', &k);
    printf("%.1f %d\n", d, k);
    printf("%d\n", narrow(1, 2, 3));
    printf("%d\n", narrow(257, 65538, 260));
    printf("%d\n", narrow('\1', (short)-1, (unsigned char)255));
    float f = 0.5f;
    printf("%.2f %.2f\n", fl(f, 0.25), fl(1.0, f));
    printf("%d %d\n", implied(6, 7), nothing());
    struct p s = { 10, 20 }, r = shift(s, 3);
    printf("%d %d %d\n", r.x, r.y, s.x);
    int v[] = { 1, 2, 3, 4 };
    printf("%d %d\n", sum(v, 4), sum(v + 1, 2));
    printf("%d %d\n", twice(add, 9), twice(implied, 9));
    int m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    printf("%d\n", matrix(m));
    printf("%s\n", skip("skipping", 4));
    printf("%ld\n", modify(5L, 6));
    printf("%d %d\n", wide(1), wide(0));

    /* default argument promotions in calls without a prototype */
    char c = 'z'; short h = -3;
    printf("%d %d\n", later(c, h), later(1, 2));
    printf("%.3f\n", dlater(f, c));
    printf("%d %d\n", choose(0)(8, 2), (*choose(1))(8, 2));
    int (*fp)() = add;
    printf("%d\n", fp(c, h));
    fp = later;
    printf("%d\n", (*fp)(5, 5));
    return nothing() - 17;
}

int later(a, b) { return a * 2 + b; }
double dlater(x, n) double x; int n; { return x * n; }
int (*choose(w))() int w; { return w ? implied : add; }
