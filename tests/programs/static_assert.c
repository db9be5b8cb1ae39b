#include <stdio.h>
#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

_Static_assert(sizeof(int) == 4, "int has four bytes");
_Static_assert(CHAR_BIT == 8, "bytes" " of eight bits");
static_assert(sizeof(void *) == sizeof(long), "pointer and long");
_Static_assert(-1 < 0 && 1u > 0, "signs");
_Static_assert((unsigned char)-1 == 255, "conversion");
_Static_assert(-7 / 2 == -3 && -7 % 2 == -1, "division");
_Static_assert(-1 > 0u, "usual conversions");
_Static_assert((1 ? 2 : 1 / 1) == 2, "conditional");
_Static_assert('a' + 1 == 'b', "characters");
_Static_assert(sizeof "abc" == 4, "string size");
_Static_assert((int)2.9 == 2, "cast of a floating constant");
_Static_assert(0x7fffffff + 1u == 2147483648u, "unsigned sum");
_Static_assert(~0 == -1 && (1 << 4 | 3) == 19 && (6 ^ 3) == 5, "bits");
_Static_assert(!0 && !!5 == 1, "not");
_Static_assert(LLONG_MAX > INT_MAX, "limits");
_Static_assert(UINT64_MAX == ~0ull, "all ones");
_Static_assert(1, "");
_Static_assert(sizeof(char[3]) == 3);           /* message left out, GNU */

enum kind { K_A, K_B, K_C, K_COUNT };
static const char *const names[] = { "a", "b", "c" };
_Static_assert(sizeof names / sizeof names[0] == K_COUNT, "one name for each kind");

struct hdr {
    uint8_t type;
    uint8_t flags;
    _Static_assert(sizeof(uint16_t) == 2, "inside a structure");
    uint16_t len;
    uint32_t crc;
};
_Static_assert(sizeof(struct hdr) == 8, "no padding");
_Static_assert(offsetof(struct hdr, crc) == 4, "place of the last member");
_Static_assert(_Alignof(struct hdr) == _Alignof(uint32_t), "alignment");
union two { long l; _Static_assert(1, "in a union"); char c[8]; };
_Static_assert(_Generic(1L, long: 1, default: 0), "selection");
_Static_assert(__builtin_types_compatible_p(int, signed int), "same type");

#define CHECK_POW2(n) _Static_assert(((n) & ((n) - 1)) == 0, #n " is a power of two")
#define BUILD_SIZE(t, n) _Static_assert(sizeof(t) == (n), "size of " #t)
CHECK_POW2(64);
BUILD_SIZE(struct hdr, 8);
BUILD_SIZE(union two, 8);

static int half(int n)
{
    _Static_assert(sizeof(n) == sizeof(int), "of a parameter, not evaluated");
    return n / 2;
}

int main(void)
{
    _Static_assert(K_COUNT == 3, "first thing in a block");
    int a[5];
    static_assert(sizeof a / sizeof a[0] == 5, "local array");
    for (int i = 0; i < 5; i++) {
        _Static_assert(1 + 1 == 2, "within a loop");
        a[i] = half(i * 4);
    }
    if (a[1]) { static_assert(sizeof(a[0]++) == 4, "no effect"); }
    _Static_assert(sizeof(struct { char c; int i; }) == 8, "unnamed type");
    switch (a[2]) {
        _Static_assert(1, "in a switch");
    case 4: puts("four");
    }
    enum { LOCAL = 6 };
    _Static_assert(LOCAL * 2 == 12, "local constant");
    printf("%d %d %s\n", a[1], a[4], names[K_C]);
    struct hdr h = { 1, 2, 3, 4 };
    printf("%d %d\n", h.len, (int)h.crc);
    int after = 3;
    static_assert(sizeof after, "declaration after statements");
    return after;
}
