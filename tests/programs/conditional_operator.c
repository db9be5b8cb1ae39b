#include <stdio.h>
#include <string.h>

#define KIND(e) _Generic((e), int: "int", unsigned: "uint", long: "long", double: "double", \
    float: "float", char *: "char*", const char *: "cchar*", void *: "void*", int *: "int*", default: "other")

struct p { int x, y; char n[4]; };
static int calls;
static int hit(int v) { calls++; return v; }
static void va(void) { printf("A "); }
static void vb(void) { printf("B "); }
static struct p mk(int x) { struct p p = { x, -x, "mk" }; return p; }
static int sign(int v) { return v < 0 ? -1 : v > 0 ? 1 : 0; }
static const char *size(int n) { return n < 10 ? "small" : n < 100 ? n < 50 ? "medium" : "large" : "huge"; }

int main(void)
{
    printf("%d %d %d\n", sign(-5), sign(0), sign(9));
    printf("%s %s %s %s\n", size(3), size(20), size(70), size(1000));

    /* only one arm is evaluated */
    int r = 1 ? hit(1) : hit(2);
    printf("%d %d\n", r, calls);
    int i = 0, j = 0;
    (r ? i : 0) ? 1 : j++;
    i += r ? 5 : (j = 100);
    printf("%d %d\n", i, j);
    int z = 0;
    printf("%d\n", z ? 10 / z : -1);

    /* omitted middle: condition evaluated once */
    calls = 0;
    r = hit(7) ?: hit(8);
    printf("%d %d\n", r, calls);
    r = hit(0) ?: hit(8);
    printf("%d %d\n", r, calls);
    const char *nul = 0, *s = nul ?: "fallback";
    printf("%s\n", s);
    printf("%d\n", 0 ?: 0 ?: 3);
    i = 4;
    r = i++ ?: 100;
    printf("%d %d\n", r, i);
    double h = 0.5 ?: 2;
    printf("%.1f\n", h);

    /* mixed types: common type of both arms */
    unsigned u = 1; char c = 'c'; float f = 1.5f; long l = -1;
    printf("%s %s %s %s\n", KIND(1 ? i : u), KIND(0 ? c : c), KIND(1 ? i : f), KIND(1 ? u : l));
    printf("%lld\n", (long long)(1 ? -1 : u));
    printf("%.1f\n", (1 ? 3 : 2.5) / 2);
    printf("%d\n", (1 ? -1 : u) > 0);
    printf("%zu %zu\n", sizeof(1 ? c : c), sizeof(0 ? 1 : 1.0));

    /* pointers */
    int a[3] = { 1, 2, 3 }; void *vp = a;
    char buf[4] = "buf"; const char *cc = "cc";
    printf("%s %s %s %s\n", KIND(1 ? a : 0), KIND(1 ? a : vp), KIND(0 ? buf : cc), KIND(1 ? (void *)0 : a));
    printf("%d\n", *(i ? a + 1 : 0));
    printf("%s\n", i > 100 ? buf : cc);
    *(r ? &i : &j) = 77;
    printf("%d %d\n", i, j);
    (r ? a : buf == cc ? a : 0)[2] = 30;
    printf("%d\n", a[2]);

    /* void arms, function arms, struct arms */
    r ? va() : vb();
    !r ? va() : vb();
    (r > 100 ? va : vb)();
    r ? (void)0 : va();
    printf("\n");
    struct p x = { 1, 2, "xx" }, y = { 3, 4, "yy" }, w;
    w = r ? x : y;
    printf("%d %s\n", w.x, w.n);
    printf("%d %s\n", (z ? x : y).y, (z ? x : mk(9)).n);
    w = z ? x : r > 2 ? mk(6) : y;
    printf("%d %d\n", w.x, w.y);

    /* precedence against assignment, comma and || */
    int q;
    q = z || r ? 1 + 1 : 3 + 3;
    printf("%d\n", q);
    q = 1; q += z ? 10 : 20;
    printf("%d\n", q);
    r ? q = 5 : 0;
    printf("%d\n", q);
    q = r ? (i = 1, 2) : 3;
    printf("%d %d\n", q, i);
    for (int k = 0; k < 4; k++) printf("%d%s", k, k < 3 ? "," : "\n");
    static int st = sizeof(int) == 4 ? 11 : 22;
    enum { E = 1 ? 2 : 1 / 1 };
    printf("%d %d\n", st, E);
    return sign(-1) ? 6 : 0;
}
