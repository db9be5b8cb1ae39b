#include <stdio.h>
#include <stdint.h>
#include <limits.h>
#include <stddef.h>

struct s { char c; int i; struct { short a[3]; } in; };
static int calls;
static int hit(int v) { calls++; return v; }
static int classify(int v)
{
    switch (v & 3) { case 0: return 10; case 1: return 11; case 2: return 12; case 3: return 13; }
    __builtin_unreachable();
}
static int guard(int v) { if (v < 0) { if (v >= 0) __builtin_unreachable(); return -1; } return 1; }

int main(void)
{
    int x = 5;
    if (__builtin_expect(x > 3, 1)) puts("likely");
    if (__builtin_expect(!!(x > 9), 0)) puts("no"); else puts("unlikely");
    printf("%ld %zu\n", __builtin_expect(hit(77), 0), sizeof(__builtin_expect(1, 1)));
    printf("%d\n", calls);
    printf("%zu %zu\n", __builtin_offsetof(struct s, i), __builtin_offsetof(struct s, in.a[2]));
    volatile int vol = 3;
    printf("%d %d %d\n", __builtin_constant_p(3 + 4), __builtin_constant_p(vol), __builtin_constant_p("s"));
    printf("%d %d %d\n", classify(5), guard(-3), guard(3));

    printf("%x %x %lx\n", __builtin_bswap16(0x1234), __builtin_bswap32(0x12345678), (unsigned long)__builtin_bswap64(0x0102030405060708ULL));
    printf("%d %d\n", __builtin_bswap16(0xff), (int)__builtin_bswap32(0xff) < 0);
    printf("%d %d %d\n", __builtin_popcount(0xf0f1), __builtin_popcount(-1), __builtin_popcountll(-1LL));
    printf("%d %d\n", __builtin_popcountl(1UL << 63 | 1), __builtin_popcount(0));
    printf("%d %d %d\n", __builtin_clz(1), __builtin_clz(0x80000000u), __builtin_clzll(1));
    printf("%d %d %d\n", __builtin_ctz(8), __builtin_ctzll(1ULL << 40), __builtin_ctzl(6));
    printf("%d %d %d %d\n", __builtin_ffs(0), __builtin_ffs(12), __builtin_ffsll(1LL << 35), __builtin_ffs(INT_MIN));
    printf("%d %d %d\n", __builtin_parity(7), __builtin_parityll(3), __builtin_abs(-9));

    /* overflow checks: exact result compared with the type of the destination */
    int r; unsigned u; long l; signed char sc; unsigned char uc; unsigned long ul; short sh;
    int o = __builtin_add_overflow(INT_MAX, 1, &r); printf("%d %d\n", o, r);
    o = __builtin_add_overflow(1, 2, &r); printf("%d %d\n", o, r);
    o = __builtin_sub_overflow(0u, 1u, &u); printf("%d %u\n", o, u);
    o = __builtin_sub_overflow(0u, 1u, &r); printf("%d %d\n", o, r);
    o = __builtin_mul_overflow(65536, 65536, &l); printf("%d %ld\n", o, l);
    o = __builtin_mul_overflow(65536, 65536, &r); printf("%d %d\n", o, r);
    o = __builtin_add_overflow(100, 100, &sc); printf("%d %d\n", o, sc);
    o = __builtin_add_overflow((unsigned char)200, (unsigned char)100, &uc); printf("%d %d\n", o, uc);
    o = __builtin_add_overflow((unsigned char)200, (unsigned char)100, &sh); printf("%d %d\n", o, sh);
    o = __builtin_add_overflow(-1, 0u, &ul); printf("%d %lu\n", o, ul);
    o = __builtin_add_overflow(-1, 4294967295u, &u); printf("%d %u\n", o, u);
    o = __builtin_sub_overflow(LONG_MIN, 1, &l); printf("%d %ld\n", o, l);
    o = __builtin_mul_overflow(-1L, LONG_MIN, &ul); printf("%d %lu\n", o, ul);
    o = __builtin_mul_overflow(ULONG_MAX, 2ul, &ul); printf("%d %lu\n", o, ul);
    o = __builtin_mul_overflow(hit(3), hit(-4), &l); printf("%d %ld %d\n", o, l, calls);
    r = 5; o = __builtin_add_overflow(r, x, &r); printf("%d %d\n", o, r);
    o = __builtin_sadd_overflow(INT_MAX, 2, &r); printf("%d %d\n", o, r);
    o = __builtin_umul_overflow(1u << 31, 2, &u); printf("%d %u\n", o, u);
    o = __builtin_ssubl_overflow(LONG_MIN, 5, &l); printf("%d %ld\n", o, l);

    printf("%d %d %d %d\n", __builtin_types_compatible_p(int, signed), __builtin_types_compatible_p(int, unsigned),
           __builtin_types_compatible_p(int[3], int[]), __builtin_types_compatible_p(const int, int));
    printf("%d %d\n", __builtin_types_compatible_p(char *, const char *), __builtin_types_compatible_p(typeof(x), int));
    calls = 0;
    printf("%d %d\n", __builtin_choose_expr(1, x, hit(1)), __builtin_choose_expr(sizeof(int) == 8, hit(2), 6));
    printf("%zu %s %d\n", sizeof(__builtin_choose_expr(0, 1, 1.0)), __builtin_choose_expr(1, "text", 3), calls);
    return classify(2);
}
