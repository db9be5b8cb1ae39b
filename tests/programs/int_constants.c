#include <stdio.h>
#include <stdint.h>
#include <limits.h>

#define TYPE(x) _Generic((x), int: "i", unsigned: "u", long: "l", unsigned long: "ul", \
    long long: "ll", unsigned long long: "ull", default: "?")

#if 0x7fffffffffffffff > 0 && -1 > 0u && 0b11 == 3 && 'a' == 97 && 010 == 8
#define PP_OK 1
#else
#define PP_OK 0
#endif
#if (2147483647 + 1) > 0 && 1 << 40 > 1
#define PP_WIDE 1
#else
#define PP_WIDE 0
#endif

static const unsigned masks[] = { 0x1, 0X2, 0x4u, 0X8U };

int main(void)
{
    printf("%d %d %d %d\n", 0, 00, 0x0, 0b0);
    printf("%d %d %d %d\n", 10, 010, 0x10, 0b10);
    printf("%d %d %d\n", 0777, 0xFf, 0B1011);
    printf("%d %d\n", 0xdeadBEEF == 3735928559u, 0xABCDEF == 0xabcdef);
    printf("%d %d\n", -010, -0x10);

    /* suffixes in all spellings */
    printf("%s %s %s %s %s %s\n", TYPE(1), TYPE(1u), TYPE(1U), TYPE(1l), TYPE(1L), TYPE(1ul));
    printf("%s %s %s %s %s %s\n", TYPE(1uL), TYPE(1Ul), TYPE(1lu), TYPE(1LU), TYPE(1ll), TYPE(1LL));
    printf("%s %s %s %s %s\n", TYPE(1ull), TYPE(1LLU), TYPE(1uLL), TYPE(1Ull), TYPE(1llu));

    /* decimal without suffix: int, then long */
    printf("%s %s %s\n", TYPE(2147483647), TYPE(2147483648), TYPE(4294967295));
    printf("%s %s\n", TYPE(4294967296), TYPE(9223372036854775807));
    printf("%s %s\n", TYPE(-2147483648), TYPE(-2147483647 - 1));
    /* hexadecimal, octal and binary may also be unsigned */
    printf("%s %s %s %s\n", TYPE(0x7fffffff), TYPE(0x80000000), TYPE(0xffffffff), TYPE(0x100000000));
    printf("%s %s\n", TYPE(0x7fffffffffffffff), TYPE(0x8000000000000000));
    printf("%s %s %s\n", TYPE(017777777777), TYPE(020000000000), TYPE(040000000000));
    printf("%s %s\n", TYPE(0b11111111111111111111111111111111), TYPE(0b1111111111111111111111111111111));
    /* with suffixes the search starts later */
    printf("%s %s %s\n", TYPE(4294967295u), TYPE(4294967296u), TYPE(0x80000000L));
    printf("%s %s %s\n", TYPE(0x8000000000000000L), TYPE(0x8000000000000000LL), TYPE(18446744073709551615u));
    printf("%zu %zu %zu %zu\n", sizeof 1, sizeof 2147483648, sizeof 0xffffffff, sizeof 1ll);

    /* consequences of these types */
    printf("%d %d\n", -2147483648 < 0, -0x80000000 > 0);
    printf("%ld %ld\n", -2147483648 + 0L, -0x80000000 + 0L);
    printf("%d %d\n", 0xffffffff == -1, 4294967295 == -1);
    printf("%d %d\n", 0xffffffff > -1, 4294967295 > -1);
    printf("%lu %lu\n", ~0 + 0ul, ~0u + 0ul);
    printf("%ld\n", 1l << 40 | 1u << 31);
    printf("%d %d\n", -1 < 0u, -1 < 0l);
    printf("%lu\n", 18446744073709551615ul);
    printf("%llx\n", 0xfedcba9876543210ull);
    printf("%d %d\n", PP_OK, PP_WIDE);
    printf("%u\n", masks[0] | masks[1] | masks[2] | masks[3]);

    /* macros of stdint */
    printf("%d %u %lu\n", INT32_C(-5), UINT32_C(4000000000), UINT64_C(1) << 50);
    printf("%s %s %s\n", TYPE(INT64_C(1)), TYPE(UINT64_C(1)), TYPE(UINT8_C(1)));
    printf("%s %s %s\n", TYPE(INT_MAX), TYPE(UINT_MAX), TYPE(LONG_MIN));

    /* neighbouring tokens */
    printf("%d %d\n", 0x1e - 1, 0xd-1);
    printf("%d\n", 1-1);
    int a = 5;
    printf("%d %d\n", 3 - -3, a - - -1);
    enum { E = 0x10, F = 'a', G = 0b101 << 2 };
    printf("%d %d %d\n", E, F, G);
    switch (16) { case 0x10: puts("hex case"); break; case 010: puts("octal"); }
    int arr[0x4] = { [01] = 1, [0b11] = 3 };
    printf("%d %d\n", arr[1], arr[3]);
    return 0x2a;
}
