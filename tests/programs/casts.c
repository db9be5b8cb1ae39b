#include <stdio.h>
#include <stdint.h>
#include <string.h>

struct s { int a; char b; };
union u { int i; float f; };
typedef unsigned char byte;
static int sq(int x) { return x * x; }
static void discard(void) { (void)sq(3); (void)0; (void)"text"; }
static int same(const void *a, const void *b) { return (const char *)a == (const char *)b; }

int main(void)
{
    /* integer narrowing and widening */
    printf("%d %d %d\n", (char)0x1ff, (unsigned char)0x1ff, (signed char)0x80);
    printf("%d %d %d\n", (short)70000, (unsigned short)70000, (unsigned short)-1);
    printf("%d %u %ld\n", (int)4294967295u, (unsigned)-2, (long)-2);
    printf("%lu %lu\n", (unsigned long)-1, (unsigned long)(unsigned)-1);
    printf("%ld %ld\n", (long)(int)0x80000000u, (long)0x80000000u);
    printf("%lld\n", (long long)(unsigned char)-1 << 32);
    printf("%d\n", (int)0x123456789abcdefLL);
    printf("%d %d %d\n", (_Bool)2, (_Bool)0.1, (_Bool)(char)256);
    printf("%d\n", (byte)(byte)~(byte)0x0f);

    /* the place of the cast matters */
    int a = 7, b = 2;
    printf("%.2f %.2f %.2f\n", (double)a / b, (double)(a / b), a / (double)b);
    printf("%d %d\n", (byte)200 + (byte)100, (byte)(200 + 100));
    printf("%u %lu\n", 3000000000u * 2, (unsigned long)3000000000u * 2);
    printf("%d %d\n", -(byte)1, (byte)-1);
    printf("%d\n", (int)3.7 + (int)3.7);
    printf("%d %d\n", (int)(3.7 + 3.7), (int)-3.7);
    printf("%d\n", (char)a++ + 1);
    printf("%d %zu %zu\n", a, sizeof(char), sizeof((char)a));

    /* floating */
    printf("%.6f %.6f\n", (float)0.1, (double)(float)0.1 - 0.1 > 0 ? 1.0 : 0.0);
    printf("%d\n", (float)16777217 == 16777216.0f);
    printf("%u %d\n", (unsigned)4e9, (byte)65.9);
    printf("%ld %.1f\n", (long)1e15, (double)(1LL << 53));

    /* pointers */
    unsigned v = 0x04030201;
    byte *p = (byte *)&v;
    printf("%d %d %d\n", p[0], p[3], *((byte *)&v + 2));
    printf("%d\n", *(uint16_t *)((char *)&(union { uint16_t h[2]; }){ { 7, 9 } } + 2));
    void *vp = &a;
    *(int *)vp = 55;
    printf("%d %d\n", a, *(const int *)(void *)(char *)vp);
    uintptr_t n = (uintptr_t)vp;
    printf("%d %d\n", (int *)n == &a, (void *)0 == (char *)0);
    struct s st = { 1, 'b' };
    int *first = (int *)&st;
    *first = 12;
    printf("%d %d\n", st.a, ((struct s *)first)->b);
    printf("%d\n", same((char *)&st + sizeof(int), &st.b));
    long diff = (char *)&st.b - (char *)&st;
    printf("%ld\n", diff);
    int m[2][2] = { 1, 2, 3, 4 };
    int *flat = (int *)m; int (*pm)[2] = (int (*)[2])flat;
    printf("%d %d\n", flat[1], pm[1][0]);
    const char *cs = "const"; char *ms = (char *)cs;
    printf("%c %d\n", ms[0], same(ms, cs));
    int (*fp)(int) = (int (*)(int))(void *)sq;
    printf("%d %d\n", fp(5), ((int (*)(int))fp)(6));
    printf("%d\n", (int)(intptr_t)(void *)42);

    /* odd forms */
    discard();
    (void)a; (void)(a = 3);
    printf("%d\n", a);
    enum e { E1 = 1, E2 } ev = (enum e)2;
    printf("%d %d\n", ev == E2, (int)(enum e)1);
    union u un = (union u)1.0f;            /* GNU cast to union */
    printf("%x %d\n", un.i, ((union u)5).i);
    printf("%d\n", (int)(char)(short)(long)0x12345681);
    printf("%d\n", (int){ 5 } * (int)2.5);
    printf("%d %d\n", ~(unsigned char)0, !(int)0.5);
    printf("%d\n", (unsigned char)'\xff' == 255 && '\xff' == -1);
    return (byte)0x105;
}
