#include <stdio.h>
#include <limits.h>
#include <stdint.h>

static int floor_div(int a, int b) { int q = a / b; return a % b && (a < 0) != (b < 0) ? q - 1 : q; }
static int floor_mod(int a, int b) { int r = a % b; return r && (r < 0) != (b < 0) ? r + b : r; }
static int digits(long v) { int n = 0; do n++; while (v /= 10); return n; }
static unsigned long modpow(unsigned long b, unsigned e, unsigned long m) { unsigned long r = 1; for (; e; e /= 2, b = b * b % m) if (e % 2) r = r * b % m; return r; }

int main(void)
{
    /* division cuts towards zero, the remainder has the sign of the dividend */
    int t[][2] = { { 7, 2 }, { -7, 2 }, { 7, -2 }, { -7, -2 }, { 0, -5 }, { 1, -3 }, { -6, 3 }, { INT_MIN, 2 }, { INT_MIN, 10 }, { INT_MAX, -1 }, { -1, INT_MAX } };
    for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
        int a = t[i][0], b = t[i][1];
        printf("%d/%d = %d r %d, floor %d %d, %d\n", a, b, a / b, a % b, floor_div(a, b), floor_mod(a, b), a / b * b + a % b == a);
    }

    /* unsigned, and signed converted to unsigned */
    unsigned u = 4294967295u;
    printf("%u %u\n", u / 10, u % 10);
    printf("%u %u\n", -1 / 2u, -1 % 10u);
    printf("%u %u\n", u / -1, u % -1);
    printf("%u\n", 7u / -2);
    printf("%lu %lu\n", ULONG_MAX / 3, ULONG_MAX % 1000);
    printf("%lu\n", -1L / 2ul);

    /* widths: done in the common type */
    printf("%ld %ld\n", -7L / 2, -7L % 2);
    printf("%ld %ld\n", LONG_MIN / 10, LONG_MIN % 10);
    printf("%ld\n", (long)INT_MIN / -1);
    printf("%ld %ld\n", -7 / 2L, (long)-7 / 2u);
    signed char c = -128; short s = -32768; unsigned char uc = 250;
    printf("%d %d %d\n", c / -1, s / -1, c % 100);
    printf("%d %d\n", (signed char)(c / -1), uc / 7 % 4);
    c /= -1;
    printf("%d\n", c);
    printf("%d %d\n", uc / -3, uc % -3);
    uint16_t h = 60000; h /= 7; printf("%d ", h); h %= 1000; printf("%d\n", h);

    /* precedence and grouping */
    printf("%d %d %d\n", 100 / 10 / 2, 100 / (10 / 2), 100 % 30 % 7);
    printf("%d %d %d\n", 2 * 7 / 4, 7 / 4 * 2, 7 / 4.0 * 2 > 3);
    printf("%d %d %d\n", -7 / 2, -(7 / 2), (-7) % 3 * 2);
    printf("%d %d\n", 5 + 7 % 4 - 3, !7 / 2);
    printf("%d %d\n", 'z' / 2, 1 / 2 + 1 % 2);

    /* by powers of two: not the same as shifts for negatives */
    for (int v = -5; v <= 5; v += 5) printf("%d %d %d %d;", v / 4, v >> 2, v % 4, v & 3);
    printf("\n");
    printf("%d %d %d %d\n", digits(0), digits(-1234), digits(LONG_MIN), digits(99));
    printf("%lu\n", modpow(7, 222, 1000000007));
    int year = 1900, leap = 0;
    for (; year <= 2000; year++) leap += year % 4 == 0 && year % 100 != 0 || year % 400 == 0;
    printf("%d\n", leap);
    int secs = -3661;
    printf("%d %d %d\n", secs / 3600, secs / 60 % 60, secs % 60);
    volatile int one = 1;
    printf("%d %d\n", 12345 / one, 12345 % one);
    return floor_mod(-1, 12);
}
