#include <stdio.h>

typedef int T;
typedef T U, *PT, AT[3], FT(T, T);
typedef struct tag tag;
struct tag { T T; tag *next; };
typedef T T;                       /* same redefinition is allowed */
typedef const char *str;
typedef int (*op)(int);
typedef op getter(int);
typedef struct { T a; } anon, *panon;
long typedef odd_order;

static FT add;
static T add(T a, T b) { return a + b; }
static int hide(int T) { return T * 2; }
static U plain(U U) { return U + 1; }
static int neg(int v) { return -v; }
static int sqr(int v) { return v * v; }
static op choose(int w) { return w ? neg : sqr; }
static int apply(FT f, T a) { return f(a, a); }
static getter *gp = choose;
static int unnamed(T, char);
static int unnamed(T x, char y) { return x + y; }

int main(void)
{
    T v = 5;
    PT p = &v;
    AT arr = { 1, 2, 3 };
    printf("%d %d %zu\n", *p, arr[2], sizeof(AT));
    printf("%d %d\n", add(2, 3), apply(add, 4));

    struct tag n = { 7, 0 }, m = { .T = 8, .next = &n };
    tag *t = &m;
    printf("%d %d\n", t->T, t->next->T);
    printf("%d %d\n", hide(21), plain(1));
    printf("%d %d %d\n", choose(1)(9), gp(0)(9), (*gp)(1)(3));
    printf("%d\n", unnamed(1, 2));

    {   /* a variable hides the typedef from its own declarator on */
        T T = 10;
        T++;
        printf("%d %zu\n", T, sizeof(T));
        int q = (T) * 3;           /* a product here */
        int r = (T) - 1;           /* a difference here */
        printf("%d %d\n", q, r);
    }
    int q = (T) - 1;               /* a cast here */
    int r = (T) * p;
    printf("%d %d\n", q, r);

    {   typedef char T;            /* inner typedef of another type */
        T c = (T)300;
        printf("%d %zu\n", c, sizeof(T));
        {
            typedef T T[4];        /* inner uses the outer meaning on the left */
            printf("%zu\n", sizeof(T));
        }
        unsigned U = 3;            /* now an object */
        printf("%u\n", U);
    }
    printf("%zu\n", sizeof(T));

    for (T T = 0; T < 3; T++) printf("%d ", T);
    printf("%zu\n", sizeof(T));
    {
        enum { T = 44 };
        printf("%d\n", T);
    }
    {   unsigned T = 6;
        struct { int T; } s = { 2 };
        s.T += T;
        printf("%d\n", s.T);
    }
    goto T;
    printf("skipped\n");
T:  printf("label\n");
    str s = "const pointer target";
    s++;
    printf("%c\n", *s);
    const PT cp = &v;              /* the pointer is constant, not the int */
    *cp = 6;
    printf("%d\n", v);
    anon a = { 1 }; panon pa = &a;
    pa->a += 4;
    odd_order lo = 1L << 40;
    printf("%d %ld\n", a.a, lo);
    if (sizeof(int) > 2) { typedef long V; V x = 3; printf("%ld\n", x); }
    U (w) = 12; T (*z) = &w, (y)[2] = { 1, 2 };
    printf("%d %d\n", *z, y[1]);
    return 0;
}
