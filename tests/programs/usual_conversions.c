#include <stdio.h>
#include <limits.h>

#define KIND(e) _Generic((e), int: "int", unsigned: "uint", long: "long", \
    unsigned long: "ulong", long long: "llong", unsigned long long: "ullong", \
    float: "float", double: "double", long double: "ldouble", default: "other")

static unsigned long widen(unsigned long v) { return v; }
static long sgn(long v) { return v; }

int main(void)
{
    int i = -1;
    unsigned u = 1;
    long l = -1;
    unsigned long ul = 1;
    long long ll = -1;
    unsigned long long ull = 1;
    float f = 0.5f;
    double d = 0.25;
    char c = 'a';

    printf("%s %s %s %s\n", KIND(i + u), KIND(i + l), KIND(u + l), KIND(u + ul));
    printf("%s %s %s %s\n", KIND(l + ul), KIND(l + ll), KIND(ul + ll), KIND(ll + ull));
    printf("%s %s %s %s\n", KIND(f + i), KIND(f + d), KIND(ull * f), KIND(c + c));
    printf("%s %s %s\n", KIND(1 ? i : u), KIND(0 ? ll : ul), KIND(1 ? i : d));
    printf("%s %s %s\n", KIND(i < u), KIND(u << ll), KIND(i += ll - ll));
    printf("%s %s\n", KIND(1.0f * 2), KIND(1.0L + 1));

    /* int meets unsigned: compares as unsigned */
    printf("%d %d %d\n", i < u, i > u, -1 == 4294967295u);
    /* unsigned meets long: the long can hold it */
    printf("%d %d\n", l < u, (long)i == UINT_MAX);
    /* long meets unsigned long */
    printf("%d %d %d\n", l < ul, l == ULONG_MAX, ll > ull);
    printf("%d\n", (int)sizeof(int) > -1);
    printf("%d\n", sizeof(int) > -1);
    printf("%d\n", (unsigned short)1 > (short)-1);
    printf("%d\n", 'a' > -1);

    /* arithmetic */
    printf("%u %u\n", i + u, i * 2u);
    printf("%u %u\n", i / 2u, -7 % 4u);
    printf("%ld\n", l + u);
    printf("%ld %ld\n", i + 2147483648L, u - 2L);
    printf("%lu\n", l / 2ul);
    printf("%ld\n", (long)(u - 2));
    printf("%ld\n", (long)(int)(u - 2));
    printf("%lld\n", 1u - 2 + 0LL);
    printf("%lu %lu\n", widen(i), widen((unsigned)i));
    printf("%ld %ld\n", sgn(u - 2u), sgn(UINT_MAX + 1ul));
    printf("%.2f %.2f\n", u - 2 + d, (double)(i - (int)u));
    printf("%.3f\n", 1 / 2 + 1 / 2.0);

    /* both arms are converted even if only one is evaluated */
    long r = 1 ? -1 : 0u;
    long r2 = 1 ? -1 : 0;
    long r3 = 1 ? -1 : 0ul;
    printf("%ld %ld %ld\n", r, r2, r3);
    double q = 1 ? 3 : 0.0;
    printf("%.1f %.1f\n", q / 2, (1 ? 3 : 0.0) / 2);

    /* mixed in compound assignment */
    i = -8; i /= 2u;
    printf("%d\n", i);
    i = -8; i >>= 1u;
    printf("%d\n", i);
    u = 10; u += -3; u *= 0.5;
    printf("%u\n", u);
    ul = 0; ul += -1; ul >>= 60;
    printf("%lu\n", ul);
    ul = 0; ul -= 1u;
    printf("%lu\n", ul);
    l = 5; l -= 6u;
    printf("%ld\n", l);
    i = 0x7fffffff; ll = i + 1u; printf("%lld\n", ll);
    ll = ~0u; printf("%lld ", ll);
    ll = ~0; printf("%lld\n", ll);
    ll = -2147483648; printf("%lld %zu\n", ll, sizeof(-2147483648));
    return 0;
}
