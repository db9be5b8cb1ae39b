#include <stdio.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct loose { char a; int b; short c; double d; };
struct tight { char a; int b; short c; double d; } __attribute__((packed));
struct __attribute__((__packed__)) front { uint8_t t; uint32_t len; uint16_t crc; };
struct part { char a; int b __attribute__((packed)); short c; };
struct inner { short s; int i; };
struct outer { char c; struct inner in; } __attribute__((packed));

#pragma pack(push, 1)
struct p1 { char a; long b; char c; };
#pragma pack(push, 2)
struct p2 { char a; long b; char c; };
#pragma pack(pop)
struct p1b { short a; double b; };
#pragma pack(pop)
struct p8 { char a; long b; char c; };
#pragma pack(4)
struct p4 { char a; double b; };
#pragma pack()
struct pn { char a; double b; };

struct al { char c; int x __attribute__((aligned(16))); char t; };
struct whole { char c; } __attribute__((aligned(8)));
struct both { char c; int i; short s; } __attribute__((packed, aligned(4)));
typedef int int64al __attribute__((aligned(8)));
struct useal { char c; int64al v; };
struct pbits { unsigned a : 5; unsigned b : 30; unsigned c : 5; } __attribute__((packed));
static char gbuf[3] __attribute__((aligned(32)));

int main(void)
{
    printf("%zu %zu %zu %zu\n", sizeof(struct loose), sizeof(struct tight), sizeof(struct front), sizeof(struct part));
    printf("%zu %zu %zu\n", offsetof(struct tight, b), offsetof(struct tight, c), offsetof(struct tight, d));
    printf("%zu %zu\n", offsetof(struct part, b), offsetof(struct part, c));
    printf("%zu %zu %zu\n", sizeof(struct outer), offsetof(struct outer, in), offsetof(struct outer, in.i));
    printf("%zu %zu %zu %zu\n", sizeof(struct p1), sizeof(struct p2), sizeof(struct p1b), sizeof(struct p8));
    printf("%zu %zu\n", offsetof(struct p2, b), offsetof(struct p2, c));
    printf("%zu %zu\n", sizeof(struct p4), sizeof(struct pn));
    printf("%zu %zu %zu\n", sizeof(struct al), offsetof(struct al, x), offsetof(struct al, t));
    printf("%zu %zu %zu\n", sizeof(struct whole), sizeof(struct both), sizeof(struct useal));
    printf("%zu %zu %zu\n", _Alignof(struct tight), _Alignof(struct both), _Alignof(struct al));
    printf("%zu %d\n", sizeof(struct pbits), (int)((uintptr_t)gbuf % 32));

    struct tight t = { 'x', 0x01020304, -5, 2.5 };
    t.b++;
    t.c *= 2;
    t.d += t.b == 0x01020305;
    printf("%c %x %d %.1f\n", t.a, t.b, t.c, t.d);
    struct tight ts[3] = { t, t, t }, *p = ts;
    p[1].d = 7; (p + 2)->b = -1;
    printf("%ld %.1f %d %.1f\n", (long)((char *)&ts[2] - (char *)ts), ts[1].d, ts[2].b, ts[2].d);

    unsigned char wire[7] = { 9, 0x78, 0x56, 0x34, 0x12, 0xcd, 0xab };
    struct front f;
    memcpy(&f, wire, sizeof f);
    printf("%d %x %x\n", f.t, f.len, f.crc);
    f.len >>= 8;
    memcpy(wire, &f, sizeof f);
    printf("%x %x %x %x\n", wire[1], wire[2], wire[3], wire[4]);

    struct outer o = { 'o', { -7, 123456789 } };
    struct inner in = o.in;
    in.i++;
    o.in = in;
    printf("%d %d\n", o.in.s, o.in.i);
    struct pbits b = { 31, 0x3fffffff, 1 };
    b.b -= 1; b.a++;
    printf("%d %x %d\n", b.a, b.b, b.c);
    struct p1 a = { 1, -2, 3 }, a2 = a;
    printf("%ld %d\n", a2.b, memcmp(&a, &a2, sizeof a));
    int loc __attribute__((aligned(64))) = 5;
    _Alignas(16) char buf[5] = "four";
    printf("%d %d %s\n", (int)((uintptr_t)&loc % 64), (int)((uintptr_t)buf % 16), buf);
    return 0;
}
