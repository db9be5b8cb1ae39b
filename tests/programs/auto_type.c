#include <stdio.h>

#define KIND(e) _Generic((e), char: "char", signed char: "schar", unsigned char: "uchar", short: "short", \
    int: "int", unsigned: "uint", long: "long", unsigned long: "ulong", _Bool: "bool", \
    float: "float", double: "double", int *: "int*", char *: "char*", const char *: "cchar*", \
    int (*)(int): "fn", default: "other")
#define MAX(a, b) ({ __auto_type _a = (a); __auto_type _b = (b); _a > _b ? _a : _b; })
#define LET(v, e) __auto_type v = (e)

struct p { int x, y; short s; };
static __auto_type filescope = 40L;
static const __auto_type fconst = 'c';
static int calls;
static int fn(int a) { calls++; return a * 2; }
static struct p mk(int x) { struct p p = { x, -x, 3 }; return p; }
static int *where(int *p) { return p + 1; }

int main(void)
{
    __auto_type i = 5;
    __auto_type d = 2.5;
    __auto_type f = 1.5f;
    __auto_type u = 3000000000u;
    __auto_type l = 1L << 40;
    __auto_type c = (char)'x';
    __auto_type ch = 'x';
    __auto_type b = (_Bool)5;
    printf("%s %s %s %s %s\n", KIND(i), KIND(d), KIND(f), KIND(u), KIND(l));
    printf("%s %s %s\n", KIND(c), KIND(ch), KIND(b));
    printf("%d %.1f %.1f %u %ld %c %d\n", i, d, f, u, l, c, b);
    printf("%s %s %ld\n", KIND(filescope), KIND(fconst), filescope + fconst);

    /* promotions and conversions happen in the initialiser */
    short sh = 7; unsigned char uc = 255;
    __auto_type s1 = sh;
    __auto_type s2 = sh + sh;
    __auto_type s3 = uc;
    __auto_type s4 = i + u;
    __auto_type s5 = i < 3;
    __auto_type s6 = 1 ? i : d;
    s3++;
    printf("%s %s %s %s %s %s\n", KIND(s1), KIND(s2), KIND(s3), KIND(s4), KIND(s5), KIND(s6));
    printf("%d %d %u %.1f\n", s2, s3, s4, s6);
    __auto_type sz = sizeof(int);
    __auto_type big = 4294967296;
    printf("%s %s %zu\n", KIND(sz), KIND(big), sz);

    /* arrays and functions decay */
    int arr[3] = { 10, 20, 30 };
    __auto_type p = arr;
    __auto_type p2 = where(p);
    __auto_type fp = fn;
    __auto_type str = "literal";
    printf("%s %s %s\n", KIND(p), KIND(fp), KIND(str));
    p[0]++; *p2 += 5;
    printf("%d %d %d %c %zu\n", arr[0], arr[1], fp(4), str[2], sizeof p);
    __auto_type whole = &arr;
    printf("%zu %ld\n", sizeof *whole, (long)(p2 - p));

    /* structures; the initialiser runs once */
    __auto_type s = mk(6);
    __auto_type ps = &s;
    ps->y *= 2;
    printf("%d %d %d\n", s.x, s.y, ps->s);
    __auto_type member = ps->s;
    printf("%s\n", KIND(member));
    calls = 0;
    __auto_type once = fn(3);
    printf("%d %d\n", once, calls);

    printf("%d %.1f\n", MAX(i++, 3), MAX(2, 2.5));
    printf("%d %d\n", i, MAX(MAX(1, 9), MAX(4, 7)));
    for (__auto_type k = 0u; k < 3; k++) printf("%u ", k);
    printf("\n");
    {
        __auto_type i = 1.25;             /* hides the outer one */
        printf("%s %.2f\n", KIND(i), i);
    }
    const __auto_type kc = i;
    LET(w, kc * 10);
    static __auto_type st = 100;
    st++;
    __auto_type n = ({ __auto_type t = w; t + st; });
    printf("%d %d %d\n", kc, w, n);
    return i;
}
