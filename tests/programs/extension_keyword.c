#include <stdio.h>

/* __extension__ in front of declarations and expressions, and the doubled-underscore spellings */
__extension__ typedef long long ll;
__extension__ typedef struct { int a; __extension__ union { int u; char c; }; } rec;
__extension__ static int range[4] = { [0 ... 2] = 7 };
struct outer {
    int tag;
    __extension__ struct { int x, y; };
    __extension__ unsigned long long big;
    __extension__ char tail[0];
};
__extension__ extern int declared_only;
__extension__ enum { E1 = 3, E2, };
static __inline__ int inl(int x) { return x + 1; }
static __inline int inl2(int x) { return x + 2; }
__extension__ static __signed__ char sc = -3;
static __const__ int kc = 4;
static __volatile__ int kv = 5;
typedef __typeof__(int *) ip;

#define MAX(a, b) (__extension__ ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; }))
#define ABS(v) __extension__ ({ int _v = (v); _v < 0 ? -_v : _v; })

static int sum(int *__restrict a, int *__restrict__ b, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}

int main(void)
{
    ll v = __extension__ 5000000000LL;
    printf("%lld\n", v);
    rec r = { 1, { 66 } };
    printf("%d %c\n", r.a, r.c);
    printf("%d %d\n", range[2], range[3]);
    struct outer o = { 1, { 2, 3 }, 4 };
    o.y += o.x;
    printf("%d %d %llu %zu\n", o.x, o.y, o.big, sizeof o);
    printf("%d %d\n", E1, E2);
    printf("%d %d %d\n", inl(1), inl2(1), sc);
    kv += kc;
    printf("%d\n", kv);

    /* as a unary operator it does not change value, type or lvalue-ness of nested parts */
    int x = 3, y = 8;
    printf("%d\n", __extension__ x + y);
    printf("%d\n", __extension__ (x) * __extension__ __extension__ y);
    printf("%d\n", -__extension__ x);
    printf("%d\n", !__extension__ 0 + 1);
    printf("%zu\n", sizeof(__extension__ (char)x));
    printf("%d %d\n", MAX(x++, y--), MAX(2, 1));
    printf("%d %d\n", x, y);
    printf("%d\n", ABS(x - y) + ABS(-10));
    int *p = __extension__ &x;
    *p = __extension__ 12;
    printf("%d %d\n", x, *__extension__ p);
    __extension__ int blk = 6;
    __extension__ long long big = 1LL << 40;
    printf("%d %lld\n", blk, big);
    if (__extension__ x == 12) puts("twelve");
    for (int i = __extension__ 0; __extension__ i < 2; i++) printf("%d ", i);
    printf("\n");
    y = x ? __extension__ x : 0;
    printf("%d\n", y);
    __extension__ x++;
    printf("%d\n", x);

    ip q = &y;
    *q += 1;
    __typeof__(*q) z = *q;
    __typeof(z) w = z + __alignof__(short) + __alignof(int);
    printf("%d %d\n", z, w);
    int a[3] = { 1, 2, 3 }, b[3] = { 4, 5, 6 };
    printf("%d\n", sum(a, b, 3));
    __asm__ __volatile__("" ::: "memory");
    printf("%d\n", __extension__ ({ int t = 20; __extension__ ({ t + 2; }); }));
    printf("%d\n", declared_only);
    return __extension__ 0;
}
int declared_only = 99;
