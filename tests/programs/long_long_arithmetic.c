#include <stdio.h>
#include <stdint.h>
#include <limits.h>

typedef unsigned long long ull;
typedef long long ll;

static ll mulmod(ll a, ll b, ll m) { ll r = 0; a %= m; while (b) { if (b & 1) r = (r + a) % m; a = a * 2 % m; b >>= 1; } return r; }
static ull isqrt(ull n) { ull r = 0, bit = 1ull << 62; while (bit > n) bit >>= 2; while (bit) { if (n >= r + bit) { n -= r + bit; r = (r >> 1) + bit; } else r >>= 1; bit >>= 2; } return r; }
static void mul128(ull a, ull b, ull *hi, ull *lo)
{
    ull al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    ull ll_ = al * bl, lh = al * bh, hl = ah * bl, hh = ah * bh;
    ull mid = (ll_ >> 32) + (uint32_t)lh + (uint32_t)hl;
    *lo = mid << 32 | (uint32_t)ll_;
    *hi = hh + (lh >> 32) + (hl >> 32) + (mid >> 32);
}
static ull xorshift(ull *s) { *s ^= *s << 13; *s ^= *s >> 7; *s ^= *s << 17; return *s; }
static ll sum(ll n) { return n % 2 ? (n + 1) / 2 * n : n / 2 * (n + 1); }
static ll pick(int w) { return w ? 1LL << 40 : -1; }

int main(void)
{
    ll a = 3000000000LL, b = -4000000000LL;
    printf("%lld %lld %lld\n", a + b, a - b, a * 3);
    printf("%lld %lld %lld\n", b / a, b % a, b / 7);
    printf("%lld %lld\n", LLONG_MAX, LLONG_MIN);
    printf("%lld %lld\n", LLONG_MAX / 1000, LLONG_MIN % 1000);
    printf("%llu %llu\n", ULLONG_MAX, ULLONG_MAX / 10);
    ull u = ULLONG_MAX; u += 2; printf("%llu ", u);
    u -= 3; printf("%llu ", u);
    u *= u; printf("%llu\n", u);
    printf("%llu\n", 0x123456789abcdefULL * 0xfedcba987654321ULL);

    /* widening before or after the operation */
    int i = 2147483647; unsigned n = 4000000000u;
    printf("%lld %lld\n", (ll)i + 1, i + 1LL);
    printf("%lld %lld\n", (ll)(n + n), (ll)n + n);
    printf("%lld %lld\n", (ll)i * i, (ll)-i * 3);
    printf("%lld %lld\n", -(ll)n, (ll)-n);
    printf("%lld %lld\n", (ll)(int)n, (ll)(unsigned)-1);
    ll w = i; w *= 4; w = -w; printf("%lld %d\n", w, (int)w);
    w = 1; w <<= 62; printf("%lld %lld\n", w, w >> 61);
    printf("%d %d %d\n", w > i, b < a, (ull)b > (ull)a);
    printf("%d %d\n", -1LL < 1u, -1LL < 1ull);
    printf("%d %d\n", (int)pick(1), pick(1) ? 1 : 0);
    if (pick(1)) puts("high bits count");
    printf("%d %d\n", !pick(1), pick(1) && 1);

    /* bit operations */
    printf("%llx %llx\n", ~0ULL << 36, ~0ULL >> 60);
    printf("%llx %llx\n", (ull)-1LL ^ 0xffULL, 0xf0f0f0f0f0f0f0f0ULL & 0xff00ff00);
    printf("%lld %lld\n", -1LL >> 40, -(1LL << 50) >> 48);
    printf("%x %x\n", (unsigned)(0x1122334455667788ULL >> 32), (unsigned)0x1122334455667788ULL);

    printf("%lld\n", mulmod(123456789012345LL, 987654321098765LL, 1000000000000037LL));
    printf("%llu %llu\n", isqrt(1000000000000000000ULL), isqrt(ULLONG_MAX));
    ull hi, lo;
    mul128(ULLONG_MAX, ULLONG_MAX, &hi, &lo);
    printf("%llx %llx\n", hi, lo);
    mul128(0xdeadbeefcafebabeULL, 0x123456789ULL, &hi, &lo);
    printf("%llx %llx\n", hi, lo);
    ull s = 88172645463325252ULL;
    for (int k = 0; k < 3; k++) printf("%llu ", xorshift(&s));
    printf("\n%lld %lld\n", sum(4000000000LL), sum(3));
    ull f = 1; for (int k = 2; k <= 20; k++) f *= k;
    printf("%llu\n", f);
    ull x = 0, y = 1; for (int k = 0; k < 92; k++) { ull t = x + y; x = y; y = t; }
    printf("%llu\n", x);
    ll arr[3] = { -1, 1LL << 33, LLONG_MIN }; ll *p = arr;
    p[1]++; --*p; arr[2] += 1;
    printf("%lld %lld %lld\n", arr[0], arr[1], arr[2]);
    double d = 9007199254740993LL; printf("%.0f %lld\n", d, (ll)1e18 + 1);
    struct { char c; ll v; } st = { 1, -5 }; st.v *= a; printf("%lld\n", st.v);
    return (int)(f % 251);
}
