#include <stdio.h>
#include <stdint.h>
#include <limits.h>
#include <stdbool.h>

static int next(int *p) { return ++*p; }

int main(void)
{
    /* widths */
    printf("%zu %zu %zu %zu %zu %zu\n", sizeof(_Bool), sizeof(char), sizeof(short),
           sizeof(int), sizeof(long), sizeof(long long));
    printf("%zu %zu %zu %zu\n", sizeof(int8_t), sizeof(int16_t), sizeof(int32_t), sizeof(int64_t));
    printf("%zu %zu %zu\n", sizeof(intptr_t), sizeof(intmax_t), sizeof(size_t));

    /* limits */
    printf("%d %d %d\n", CHAR_BIT, SCHAR_MIN, SCHAR_MAX);
    printf("%d %d\n", CHAR_MIN, UCHAR_MAX);
    printf("%d %d %d\n", SHRT_MIN, SHRT_MAX, USHRT_MAX);
    printf("%d %d %u\n", INT_MIN, INT_MAX, UINT_MAX);
    printf("%ld %ld %lu\n", LONG_MIN, LONG_MAX, ULONG_MAX);
    printf("%lld %lld %llu\n", LLONG_MIN, LLONG_MAX, ULLONG_MAX);
    printf("%d %lu\n", (int)INT8_MIN, (unsigned long)UINT64_MAX);

    /* unsigned wraparound in each width */
    unsigned char uc = 255;
    unsigned short us = 65535;
    unsigned int ui = UINT_MAX;
    unsigned long ul = ULONG_MAX;
    unsigned long long ull = 0;
    uc++; us++; ui++; ul++; ull--;
    printf("%d %d %u %lu %llu\n", uc, us, ui, ul, ull);
    uc--; us -= 2; ui -= 3; ul -= 4; ull += 5;
    printf("%d %d %u %lu %llu\n", uc, us, ui, ul, ull);
    ui = 0x80000001u; ui *= 3;
    printf("%u\n", ui);
    ui = 65535u * 65537u + 1u;
    printf("%u\n", ui);
    ui = 7; ui = -ui;
    printf("%u %u\n", ui, ~ui);
    us = 40000; us = us * 2;
    printf("%d\n", us);

    /* narrowing stores to signed types */
    signed char sc = (signed char)200;
    short s = (short)0x12348765;
    int i = (int)0xFFFFFFFF00000005LL;
    printf("%d %d %d\n", sc, s, i);
    sc = 127; sc++;
    s = -32768; s--;
    printf("%d %d\n", sc, s);

    /* _Bool: any non-zero value turns into 1 */
    _Bool b = 256;
    bool c = 0.25, d = 0, e = (b == true);
    printf("%d %d %d %d\n", b, c, d, e);
    b = 0; b++; printf("%d ", b);
    b++; printf("%d ", b);
    b--; printf("%d ", b);
    b = 2; b += 5; printf("%d ", b);
    b -= 1; printf("%d ", b);
    b = &b != 0; b = !b; printf("%d\n", b);
    int n = 0;
    b = next(&n) + next(&n);
    printf("%d %d\n", b, n);
    b = (unsigned char)256;
    printf("%d %d\n", b, (_Bool)0x100000000LL);

    /* spelled in odd orders */
    long unsigned int a1 = 1ul << 63;
    int long a2 = -5;
    unsigned a3 = 6;
    long int unsigned long a4 = 77;
    short signed int a5 = -9;
    printf("%lu %ld %u %llu %d\n", a1, a2, a3, a4, a5);
    return 0;
}
