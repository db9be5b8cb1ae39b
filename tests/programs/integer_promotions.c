#include <stdio.h>
#include <stdint.h>

#define KIND(e) _Generic((e), char: "char", signed char: "schar", unsigned char: "uchar", \
    short: "short", unsigned short: "ushort", int: "int", unsigned: "uint", \
    long: "long", unsigned long: "ulong", _Bool: "bool", default: "other")

struct bits { unsigned three : 3; unsigned full : 32; int neg : 4; };

int main(void)
{
    unsigned char a = 200, b = 100;
    signed char sc = -1;
    unsigned short us = 65535;
    short s = -2;
    _Bool t = 1;

    printf("%d %d %d\n", a + b, a - 250, a * b);
    printf("%zu %zu %zu\n", sizeof(a), sizeof(+a), sizeof(a + b));
    printf("%d %d\n", ~a, (unsigned char)~a);
    printf("%d %d %d\n", -a, -us, !a);
    printf("%d\n", ~t);
    printf("%d %d\n", -t, t + t);
    printf("%s %s %s %s\n", KIND(a), KIND(+a), KIND(-sc), KIND(~us));
    printf("%s %s %s %s\n", KIND(t), KIND(t + t), KIND(!t), KIND(s << 1));
    printf("%s %s %s\n", KIND(a << 1L), KIND(1L << a), KIND(a ? sc : s));
    printf("%s %s %s\n", KIND('x'), KIND((char)'x'), KIND((a, b)));
    printf("%s %s\n", KIND(a++), KIND(a += 1));
    printf("%d\n", a);
    a = 200;

    /* shifts are made on the promoted left operand */
    printf("%d %d\n", a << 4, (unsigned char)(a << 4));
    printf("%d\n", (unsigned char)(a << 1) >> 1);
    printf("%d\n", (a << 1) >> 1);
    printf("%d %d\n", (unsigned char)~a >> 1, ((unsigned char)~a) << 2);
    printf("%d\n", ~a >> 1);

    /* comparisons on promoted values */
    printf("%d %d\n", sc == 255, (unsigned char)sc == 255);
    printf("%d %d\n", sc < a, s < us);
    printf("%d\n", us == (unsigned short)-1);
    printf("%d\n", us == -1);
    printf("%d\n", ~a == (unsigned char)~a);
    printf("%d\n", (a ^ 0xff) == (unsigned char)~a);

    /* the sum does not wrap before the store */
    unsigned char avg = (a + 250) / 2;
    printf("%d\n", avg);
    unsigned char w = a + 250;
    printf("%d %d\n", w, w / 2);

    /* bit-fields promote by their width */
    struct bits f = { 5, 5, -3 };
    printf("%d %d\n", f.three - 6 < 0, f.full - 6 < 0);
    printf("%d %u\n", f.three - 6, f.full - 6);
    printf("%d %d\n", f.neg < 0, f.neg + f.three);
    printf("%s %s %s\n", KIND(+f.three), KIND(+f.full), KIND(+f.neg));

    /* fixed width types */
    uint8_t x = 0x80; int8_t y = (int8_t)x; uint16_t z = y;
    printf("%d %d %d %d\n", x, y, z, x == y);
    uint32_t wide = x << 8 | y;
    printf("%x\n", wide);
    switch (sc) { case 255: puts("wrong"); break; case -1: puts("minus one"); break; }
    return 0;
}
