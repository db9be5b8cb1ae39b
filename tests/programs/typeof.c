#include <stdio.h>
#include <string.h>

#define SWAP(a, b) do { typeof(a) _t = (a); (a) = (b); (b) = _t; } while (0)
#define MAX(a, b) ({ typeof(a) _x = (a); typeof(b) _y = (b); _x > _y ? _x : _y; })
#define ARRAY(t, n) typeof(t[n])
#define POINTER(t) typeof(t *)
#define KIND(e) _Generic((e), char: "char", int: "int", unsigned: "uint", long: "long", \
    double: "double", float: "float", int *: "int*", const int *: "cint*", char *: "char*", default: "other")
#define CONTAINER(p, t, m) ({ const typeof(((t *)0)->m) *_m = (p); (t *)((char *)_m - __builtin_offsetof(t, m)); })

struct p { int x; double y; char n[4]; unsigned b : 3; };
static int calls;
static long fn(int a) { calls++; return a; }
static typeof(fn) fn2;
static typeof(int *) gp;
static typeof(1.5f) gf = 2.25;
typeof(struct p) gs = { 1, 2, "gs", 5 };
typedef typeof(gs.y) ytype;
static typeof(gs.x) ret(typeof(gs.n[0]) c) { return c * 2; }

int main(void)
{
    int i = 5; unsigned char c = 200; const int ci = 9; long l = 3; float f = 1.5f;
    typeof(i) j = i + 1;
    typeof(int) k = 7;
    __typeof__(i) *p = &i, **pp = &p;
    **pp += 1;
    printf("%d %d %d\n", i, j, k);

    /* operand is not evaluated */
    typeof(i++) q = 1;
    typeof(fn(3)) r = 1L << 40;
    printf("%d %d %ld %d\n", i, q, r, calls);

    /* types of expressions */
    typeof(c) c2 = 300;
    typeof(c + 1) c3 = 300;
    typeof(i + l) sum = 1L << 33;
    typeof(1 ? i : 0.0) mixed = 3.5;
    typeof(f * 2) ff = 0.1;
    printf("%d %d %ld %.1f %zu\n", c2, c3, sum, mixed, sizeof ff);
    printf("%s %s %s\n", KIND((typeof(i + 1u))1), KIND((typeof('a'))1), KIND((typeof(&ci))0));

    /* arrays, pointers, functions */
    int arr[4] = { 1, 2, 3, 4 };
    typeof(arr) copy;
    memcpy(copy, arr, sizeof copy);
    printf("%zu %d\n", sizeof copy, copy[3]);
    typeof(&arr[0]) ap = arr + 1;
    typeof(*ap) elem = *ap;
    typeof(&arr) whole = &arr;
    printf("%d %zu\n", elem, sizeof *whole);
    typeof(fn) *fp = fn;
    typeof(&fn2) fp2 = &fn2;
    printf("%ld %ld\n", fp(4), fp2(4));
    ARRAY(POINTER(int), 3) pa = { &i, &j, &k };
    printf("%d %zu\n", *pa[2], sizeof pa);
    typeof(int[3]) three = { 1, 2, 3 };
    typeof(typeof(char *)[4]) y = { "a", "b" };
    printf("%d %s %zu\n", three[2], y[1], sizeof y);

    /* members, globals, casts, sizeof */
    struct p s = { 3, 4.5, "abc", 2 };
    typeof(s.y) d = s.y; typeof(s.n) n; ytype yy = 1.25;
    strcpy(n, s.n);
    gp = &s.x; *gp *= 2;
    printf("%.1f %s %d %.2f %.2f\n", d, n, s.x, yy, gf);
    printf("%d %zu %d\n", (typeof(c))257, sizeof(typeof(s)), ret(21));
    typeof(s) t = s, *ts = &t;
    typeof(*ts) u = *ts;
    u.x++;
    printf("%d %d %s\n", t.x, u.x, gs.n);
    printf("%d\n", CONTAINER(&u.y, struct p, y)->x);

    int a = 1, b = 2; char *s1 = "one", *s2 = "two";
    SWAP(a, b); SWAP(s1, s2); SWAP(t, gs);
    printf("%d %d %s %s %d %d\n", a, b, s1, s2, t.x, gs.x);
    printf("%d %.1f\n", MAX(a++, b), MAX(1, 2.5));
    int nv = 3;
    int vla[nv];
    typeof(vla) vla2;
    nv = 10;
    printf("%zu %d\n", sizeof vla2, a);
    const typeof(i) kk = 4; typeof(volatile int) vv = 5; static typeof(int) sti;
    printf("%d\n", kk + vv + sti);
    for (typeof(i) z = 0; z < 2; z++) printf("%d ", z);
    printf("\n");
    return 0;
}
static long fn2(int a) { return a * 100L; }
