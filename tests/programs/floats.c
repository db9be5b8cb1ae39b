#include <stdio.h>

static float third(float x) { return x / 3; }
static double mix(int a, float b, double c) { return a + b * c; }
static int trunc_to_int(double d) { return d; }
static double from_uint(unsigned u) { return u; }

int main(void)
{
    float f = 0.1f;
    double d = 0.1;
    printf("%.10f %.10f\n", f, d);
    printf("%d %d\n", f == d, f == (float)d);
    printf("%d\n", 0.1 + 0.2 == 0.3);
    printf("%d\n", 0.5 + 0.25 == 0.75);
    printf("%zu %zu %zu\n", sizeof f, sizeof d, sizeof(f * d));
    printf("%zu %zu %zu\n", sizeof 1.0f, sizeof 1.0, sizeof(f * 1));

    /* conversions to integers cut towards zero */
    printf("%d %d %d %d\n", (int)2.9, (int)-2.9, (int)0.99f, (int)-0.5);
    printf("%d %d\n", trunc_to_int(7.999), trunc_to_int(-7.999));
    printf("%u %lu\n", (unsigned)3000000000.7, (unsigned long)1.0e19);
    printf("%ld\n", (long)-4.0e18);
    printf("%d\n", (unsigned char)200.9);
    printf("%lld\n", (long long)(float)16777217);

    /* conversions from integers */
    printf("%.1f %.1f\n", (double)2147483647 + 1, from_uint(4294967295u));
    printf("%.1f %.1f\n", (double)18446744073709551615ull, (double)(-1LL));
    float big = 16777217;
    printf("%.1f %.1f\n", big, (double)16777217);
    printf("%.1f\n", (float)123456789);
    long long huge = 9007199254740993LL;
    printf("%.1f %d\n", (double)huge, (long long)(double)huge == huge);

    /* arithmetic */
    printf("%.6f %.6f\n", third(1), third(10.0));
    printf("%.4f\n", mix(1, 2.5f, 4));
    printf("%.3f %.3f %.3f\n", 7 / 2 * 1.0, 7 / 2.0, 7.0f / 2);
    printf("%.2f %.2f\n", -d * -10, +f);
    f = 16777216.0f;
    f = f + 1;
    printf("%.1f\n", f);
    f = 3; f /= 2; f += 1; f *= f;
    printf("%.4f\n", f);
    d = 10; d++; ++d; d -= 0.5; d--;
    printf("%.2f\n", d);
    int i = 7; i *= 1.5;
    printf("%d\n", i);
    i += 0.99; i -= 0.01;
    printf("%d\n", i);
    char c = 'A'; c += 1.6;
    printf("%c\n", c);

    /* truth value and comparison */
    double zero = 0.0, neg = -0.0;
    printf("%d %d %d\n", zero == neg, !neg, 0.1 ? 1 : 2);
    printf("%d %d\n", 1.0 / zero > 1e308, 1.0 / neg < -1e308);
    double nan = zero / zero;
    printf("%d %d %d %d %d\n", nan == nan, nan != nan, nan < 1, nan >= 1, !nan);
    if (nan) puts("true");
    printf("%d %d\n", 1.5 && 0.0, 0.0 || 1e-300);

    /* spelled constants */
    printf("%.3f %.3f %.3f %.3f\n", .5, 5., 1e2, 12.5e-1);
    printf("%.5f %.1f %.1f\n", 0x1.8p1, 0x10p0, 0x.8p4f);
    double acc = 0;
    for (double x = 0; x < 1; x += 0.125) acc += x;
    printf("%.3f\n", acc);
    float sum = 0;
    for (i = 1; i <= 10; i++) sum += 1.0f / i;
    printf("%.5f\n", sum);
    return 0;
}
