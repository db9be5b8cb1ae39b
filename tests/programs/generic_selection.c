#include <stdio.h>
#include <stdlib.h>
#include <stddef.h>

#define TYPE(x) _Generic((x), _Bool: "bool", char: "char", signed char: "schar", unsigned char: "uchar", \
    short: "short", unsigned short: "ushort", int: "int", unsigned: "uint", long: "long", \
    unsigned long: "ulong", long long: "llong", unsigned long long: "ullong", \
    float: "float", double: "double", long double: "ldouble", \
    char *: "char*", const char *: "cchar*", int *: "int*", const int *: "cint*", void *: "void*", \
    int **: "int**", int (*)[3]: "int(*)[3]", int (*)(int): "fn(int)", double (*)(double): "fn(double)", \
    struct a: "struct a", struct b *: "struct b*", union u: "union u", default: "?")

struct a { int x; };
struct b { int x; };
union u { int i; };
enum e { E1 };
typedef unsigned long ulong_t;

static int fi(int x) { return x + 1; }
static double fd(double x) { return x + 0.5; }
static const char *show_i(int v) { return "as int"; }
static const char *show_d(double v) { return "as double"; }
static const char *show_s(const char *v) { return "as text"; }
static int calls;
static int hit(void) { calls++; return 1; }
static int absi(int v) { return v < 0 ? -v : v; }
static long absl(long v) { return v < 0 ? -v : v; }
static double absd(double v) { return v < 0 ? -v : v; }

#define SHOW(v) _Generic((v), int: show_i, double: show_d, char *: show_s)(v)
#define ABS(v) _Generic((v), int: absi, long: absl, double: absd, float: absd)(v)
#define IS_PTR(v) _Generic((v), int: 0, double: 0, default: 1)

int main(void)
{
    char c = 1; signed char sc = 1; unsigned char uc = 1; short s = 1; unsigned short us = 1;
    float f = 1; const int ci = 1; volatile int vi = 1; int arr[3] = { 1, 2, 3 }, *ip = arr; _Bool b = 1;
    struct a sa = { 1 }; struct b sb; union u un; enum e en = E1; ulong_t ul = 1;

    printf("%s %s %s %s %s %s\n", TYPE(b), TYPE(c), TYPE(sc), TYPE(uc), TYPE(s), TYPE(us));
    printf("%s %s %s %s\n", TYPE(1), TYPE(1u), TYPE(1L), TYPE(1ull));
    printf("%s %s %s\n", TYPE(1.0f), TYPE(1.0), TYPE(1.0L));
    printf("%s %s %s\n", TYPE('a'), TYPE((char)'a'), TYPE("str"));
    printf("%s %s %s\n", TYPE(ci), TYPE(vi), TYPE((const long)1));     /* qualifiers dropped */
    printf("%s %s %s\n", TYPE(ip), TYPE(&ci), TYPE(arr));
    printf("%s %s %s\n", TYPE(&arr), TYPE(&ip), TYPE((const char *)0));
    printf("%s %s %s %s\n", TYPE(fi), TYPE(&fi), TYPE(*fd), TYPE((void *)0));
    printf("%s %s %s %s\n", TYPE(sa), TYPE(&sb), TYPE(un), TYPE(&sa));
    printf("%s %s %s\n", TYPE(en), TYPE(E1), TYPE(ul));
    printf("%s %s %s\n", TYPE(c + c), TYPE(f * 2), TYPE(s ? c : uc));
    printf("%s %s %s\n", TYPE(sizeof 1), TYPE(ip - ip), TYPE(ip == ip));
    printf("%s %s %s\n", TYPE(-uc), TYPE(uc++), TYPE(us = 3));
    printf("%s %s %s\n", TYPE(1u + 1L), TYPE(1L + 1u), TYPE(1ull * 1.0f));
    printf("%s %s\n", TYPE(hit()), TYPE((hit(), 1.0f)));
    printf("%d %d\n", calls, uc);                     /* controlling operand never evaluated */

    printf("%s %s %s\n", SHOW(3), SHOW(2.5), SHOW("x"));
    printf("%d %ld %.2f %.2f\n", ABS(-3), ABS(-5000000000L), ABS(-2.5), ABS(-0.25f));
    printf("%d %d %d\n", IS_PTR(1), IS_PTR(ip), IS_PTR("s"));

    /* only the chosen association is evaluated; the result keeps value category */
    int x = 1, y = 2;
    _Generic(0, int: x, long: y) = 10;
    _Generic(0L, int: x, long: y) += 5;
    printf("%d %d\n", x, y);
    int r = _Generic(1.0, int: hit(), double: 7, default: hit());
    printf("%d %d\n", r, calls);
    printf("%d\n", _Generic(&x, default: 1, int *: 2));   /* default first */
    printf("%d\n", _Generic((char)1, int: _Generic(1, int: 1, default: 2), default: _Generic(1L, long: 3, default: 4)));
    printf("%zu\n", sizeof(_Generic(1, int: (char)1, default: 1L)));
    static int k = _Generic(0u, unsigned: 8, default: 9);
    int sized[_Generic(1.0f, float: 4, default: 2)];
    printf("%d %zu %d\n", k, sizeof sized / sizeof *sized, *_Generic(ip, int *: ip + 1));
    switch (2) { case _Generic(1, int: 2): puts("case"); }
    return _Generic(sa, struct b: 1, struct a: sa.x + 1);
}
