#include <stdio.h>
#include <stdint.h>

static unsigned rotl(unsigned v, int n) { n &= 31; return n ? v << n | v >> (32 - n) : v; }
static unsigned reverse(unsigned v) { unsigned r = 0; for (int i = 0; i < 32; i++) r |= (v >> i & 1u) << (31 - i); return r; }
static int bits(uint64_t v) { int n = 0; for (; v; v &= v - 1) n++; return n; }
static unsigned crc(const char *s) { unsigned c = ~0u; while (*s) { c ^= (unsigned char)*s++; for (int k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0xEDB88320u : c >> 1; } return ~c; }
static uint64_t hash(const char *s) { uint64_t h = 14695981039346656037ull; while (*s) h = (h ^ (unsigned char)*s++) * 1099511628211ull; return h; }

int main(void)
{
    /* right shift of negative values keeps the sign */
    int n = -17; long l = -1; signed char sc = -128; long long ll = -(1LL << 40);
    printf("%d %d %d %d\n", n >> 1, n >> 4, n >> 31, n >> 0);
    printf("%ld %d %lld\n", l >> 63, sc >> 3, ll >> 38);
    /* of unsigned ones brings in zeros */
    unsigned u = 0x80000000u;
    printf("%x %x %x\n", u >> 31, u >> 4, (unsigned)n >> 28);
    printf("%lu\n", (unsigned long)-1 >> 60);
    printf("%d\n", (int)u >> 31);

    /* the type is that of the promoted left operand */
    unsigned char uc = 0xff; unsigned short us = 0xffff;
    printf("%d %d\n", uc << 8, us << 8);
    printf("%zu %zu %zu\n", sizeof(uc << 1L), sizeof(1 << 1LL), sizeof(1L << (char)1));
    printf("%x %lx\n", 1u << 31, 1ul << 32);
    printf("%lx %lx\n", (unsigned long)(u << 1), (unsigned long)u << 1);
    printf("%d %d\n", (int8_t)0xf0 >> 4, (uint8_t)0xf0 >> 4);
    unsigned char cnt = 5; long lc = 3;
    printf("%d %d\n", 1 << cnt, 256 >> lc);

    /* and, or, xor, not with mixed widths and signs */
    printf("%x %x %x %x\n", 0xf0f0 & 0xff00, 0xf0f0 | 0x0f00, 0xf0f0 ^ 0xffff, ~0xf0f0u);
    printf("%d %d %d\n", -1 & 0xff, -256 | 1, -1 ^ 5);
    printf("%lx %lx\n", -1 & 0xffffffffffL, -1L & 0xffffffffu);
    printf("%lx\n", (unsigned long)(~0u & -1L));
    printf("%lx %lx\n", (unsigned long)~0u, (unsigned long)~0);
    printf("%d %d %d\n", ~uc, (uint8_t)~uc, ~sc);
    printf("%lu\n", 0xffffffffffffffffUL & ~0xfu);
    printf("%lx\n", 0xffffffffffffffffUL & ~0xf);
    printf("%d\n", sc & 0x80);

    /* precedence: shifts under additions, & under comparisons */
    printf("%d %d\n", 1 << 2 + 1, (1 << 2) + 1);
    printf("%d %d\n", 6 & 3 == 3, (6 & 3) == 3);
    printf("%d %d\n", 1 | 2 ^ 3 & 6, -8 >> 1 >= 0);
    printf("%d\n", !4 & 1 | ~0 >> 1 & 3);

    printf("%x %x %x\n", rotl(0x80000001u, 1), rotl(0x12345678, 8), rotl(5, 32));
    printf("%x %d %d\n", reverse(0x1u), bits(0xf0f0f0f0f0ULL), bits(-1));
    printf("%x\n", crc("123456789"));
    printf("%lx\n", (unsigned long)hash("shift"));

    /* masks, set, clear, toggle, test; swap by xor */
    unsigned m = 0;
    m |= 1u << 3; m |= 1u << 31; m ^= 1u << 3 | 1u << 4; m &= ~(1u << 31);
    printf("%x %d\n", m, !!(m & 1u << 4));
    int a = 12, b = 34;
    a ^= b; b ^= a; a ^= b;
    printf("%d %d\n", a, b);
    uint64_t w = 0x0123456789abcdefULL;
    for (int i = 0; i < 8; i += 3) printf("%x ", (unsigned)(w >> 8 * i & 0xff));
    printf("%x %x\n", (unsigned)(w >> 32), (unsigned)w);
    int64_t packed = (int64_t)0x7fffu << 48 | (uint32_t)-2;
    printf("%lx %d %d\n", (unsigned long)packed, (int)packed, (int)(packed >> 48));
    int low = 0xdeadbeef & -0xdeadbeef;
    printf("%d %d\n", low, (0x60 & -0x60));
    return (m >> 4) + (0x30 >> 4);
}
