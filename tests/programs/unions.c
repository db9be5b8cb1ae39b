#include <stdio.h>
#include <stdint.h>
#include <string.h>

union num { uint32_t u; int32_t i; float f; uint8_t b[4]; uint16_t h[2]; };
union wide { uint64_t u; double d; struct { uint32_t lo, hi; } w; char c[8]; };
union any { char c; int i; long l; char *s; };
struct var { enum { V_INT, V_DBL, V_STR } kind; union { int i; double d; const char *s; } u; };
union odd { char c[5]; short s; };
union nest { struct { int tag; int a; } x; struct { int tag; char c[4]; } y; };

static void show(struct var v)
{
    switch (v.kind) {
    case V_INT: printf("int %d\n", v.u.i); break;
    case V_DBL: printf("dbl %.2f\n", v.u.d); break;
    case V_STR: printf("str %s\n", v.u.s); break;
    }
}
static union num flip(union num n)
{
    uint8_t t = n.b[0]; n.b[0] = n.b[3]; n.b[3] = t;
    t = n.b[1]; n.b[1] = n.b[2]; n.b[2] = t;
    return n;
}
static union num gnum;
static union num gpart = { .h = { 0x1111, 0x2222 } };

int main(void)
{
    union num n;
    n.f = 1.0f;
    printf("%x\n", n.u);
    n.u = 0x40490fdb;
    printf("%.5f\n", n.f);
    n.i = -2;
    printf("%u %d %d\n", n.u, n.b[0], n.h[1]);
    n.u = 0x11223344;
    printf("%x %x %x\n", n.b[0], n.b[3], n.h[1]);
    n.b[1] = 0xff;
    printf("%x\n", n.u);
    n.h[0]++;
    printf("%x\n", n.u);
    printf("%x %x\n", flip(n).u, n.u);
    printf("%zu %zu %zu %zu\n", sizeof(union num), sizeof(union wide), sizeof(union any), sizeof(union odd));

    union wide w = { .d = -2.0 };
    printf("%x %x\n", w.w.hi, w.w.lo);
    w.w.hi = 0x3ff80000; w.w.lo = 0;
    printf("%.3f %lx\n", w.d, (unsigned long)w.u);
    memcpy(w.c, "abcdefg", 8);
    printf("%s %c\n", w.c, (char)(w.u >> 16));

    union any a = { 'x' };             /* first member by default */
    printf("%c\n", a.c);
    a.s = "text";
    printf("%s\n", a.s);
    a.l = -256;
    printf("%ld %d %d\n", a.l, a.i, a.c);

    show((struct var){ V_INT, { 42 } });
    show((struct var){ V_DBL, { .d = 2.5 } });
    struct var v = { .kind = V_STR, .u.s = "seven" }, v2;
    v2 = v;
    show(v2);

    printf("%u %x\n", gnum.u, gpart.u);
    union num arr[3] = { { 1 }, { .i = -1 }, { .b = { 1, 2 } } };
    printf("%u %u %u\n", arr[0].u, arr[1].u, arr[2].u);
    union num *p = &arr[2];
    p->f = 0.5f;
    int *ip = &p->i;
    printf("%x %d\n", arr[2].u, (void *)ip == (void *)&p->b[0]);
    n = arr[1];
    printf("%d\n", n.i);

    union nest z = { .y = { 3, "abc" } };
    printf("%d %x\n", z.x.tag, z.x.a);
    z.x.a = 0x00646362;
    printf("%s\n", z.y.c);
    printf("%x\n", ((union num){ .f = -0.0f }).u);
    return 0;
}
