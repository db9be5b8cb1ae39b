#include <stdio.h>

static int n;
static int idx(void) { return n++; }

int main(void)
{
    int i = 10;
    i += 5; i -= 3; i *= 2; i /= 5; i %= 3;
    printf("%d\n", i);
    i = 0x5a; i &= 0x3c; i |= 0x81; i ^= 0xff; i <<= 3; i >>= 2;
    printf("%d\n", i);

    /* narrow targets: computed in int, then converted */
    unsigned char uc = 200;
    uc += 100; printf("%d ", uc);
    uc *= 10; printf("%d ", uc);
    uc -= 200; printf("%d ", uc);
    uc <<= 1; printf("%d ", uc);
    uc >>= 3; printf("%d ", uc);
    uc ^= ~0; printf("%d\n", uc);
    uc = 200; uc = uc + 100 >> 1; printf("%d ", uc);
    uc = 200; uc += 100; uc >>= 1; printf("%d\n", uc);
    signed char sc = 100;
    sc += 100; printf("%d ", sc);
    sc /= 2; printf("%d ", sc);
    sc >>= 1; printf("%d ", sc);
    sc %= 4; printf("%d\n", sc);
    short sh = 30000; sh *= 2; printf("%d ", sh);
    sh -= 30000; sh -= 30000; printf("%d\n", sh);

    /* value of the expression is the converted one */
    i = (uc = 511); printf("%d ", i);
    i = (uc += 3); printf("%d ", i);
    i = (sc = 130) + 1; printf("%d ", i);
    double d = (i = 3.9); printf("%.1f ", d);
    float f; d = (f = 0.1); printf("%d\n", d == 0.1);

    /* mixed integer and floating */
    i = 7; i *= 1.5; printf("%d ", i);
    i += 0.9; printf("%d ", i);
    i -= 0.5; printf("%d ", i);
    i /= 0.25; printf("%d\n", i);
    d = 7; d /= 2; d += 'a'; printf("%.2f ", d);
    f = 16777216; f += 1.0; printf("%.1f ", f);
    f = 1; f += 1e-9; f -= 1; printf("%d\n", f == 0);
    uc = 10; uc *= 2.55; printf("%d ", uc);
    unsigned char half = 255; half *= 0.5; printf("%d\n", half);

    /* signed with unsigned, and widths */
    i = -10; i /= 3u; printf("%d ", i);
    i = -10; i /= 3; printf("%d ", i);
    i = -10; i %= 3u; printf("%d ", i);
    i = -1; i >>= 1u; printf("%d ", i);
    i = -1; i += 1ul << 33; printf("%d\n", i);
    unsigned u = 5; u -= 10; printf("%u ", u);
    u = 1; u <<= 31; u += u; printf("%u ", u);
    u = 10; u += -3L; printf("%u\n", u);
    long l = 1; l <<= 40; l += 1; l >>= 1L; printf("%ld ", l);
    i = 1; i <<= 5LL; printf("%d ", i);
    long long ll = -7; ll /= 2; ll *= 3000000000LL; printf("%lld ", ll);
    ll %= 1000; printf("%lld\n", ll);
    u = 3000000000u; l = 5; l -= u; printf("%ld ", l);
    u = 1; l = -1; l *= u; printf("%ld\n", l);

    /* pointers */
    int a[8] = { 0, 1, 2, 3, 4, 5, 6, 7 }, *p = a;
    p += 5; p -= 2; printf("%d ", *p);
    *p *= 11; p += -1; p[1] += *p; printf("%d %d\n", a[3], *p);

    /* the left side is evaluated once */
    a[idx()] += 10; a[idx()] <<= 3; a[idx()] -= a[7]; *(a + idx()) ^= 1;
    printf("%d %d %d %d n=%d\n", a[0], a[1], a[2], a[3], n);
    int *q = a;
    *q++ += 1; *q++ *= 2; *++q -= 4;
    printf("%d %d %d %ld\n", a[0], a[1], a[3], (long)(q - a));

    /* chains run right to left */
    int x = 1, y = 2, z = 3;
    x += y += z; printf("%d %d %d\n", x, y, z);
    x = y = z -= 1; printf("%d %d %d\n", x, y, z);
    x *= y + 1; printf("%d\n", x);
    x -= y -= z -= 1; printf("%d %d %d\n", x, y, z);
    _Bool b = 0; b += 2; printf("%d ", b);
    b |= 4; b &= 2; printf("%d ", b);
    b ^= 8; b *= 0.5; printf("%d\n", b);
    struct { unsigned f : 4; int s : 4; } bf = { 9, -3 };
    bf.f *= 2; bf.s -= 6; bf.f |= bf.s & 1; printf("%d %d\n", bf.f, bf.s);
    return 0;
}
