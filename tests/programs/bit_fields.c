#include <stdio.h>
#include <string.h>

struct mix { unsigned a : 3; int b : 5; unsigned c : 8; signed d : 1; };
struct zero { unsigned a : 4; unsigned : 0; unsigned b : 4; };
struct cross { unsigned a : 20; unsigned b : 20; unsigned c : 24; };
struct ch { unsigned char a : 4, b : 5, c : 3; };
struct gap { unsigned a : 2; unsigned : 3; unsigned b : 3; };
struct flag { _Bool on : 1; _Bool off : 1; unsigned n : 6; };
struct wide { unsigned long long lo : 36; long long hi : 28; };
struct tail { int x; unsigned f : 1; char c; };
union over { struct { unsigned n0 : 4, n1 : 4, n2 : 4, n3 : 4; } n; unsigned short all; int lone : 6; };
enum e { E0, E1, E2, E3 };
struct en { enum e k : 3; int plain : 2; };

static struct mix make(int v) { struct mix m = { v, v, v, v }; return m; }
static int idx;
static struct mix arr[3];
static struct mix *at(int i) { idx++; return &arr[i]; }

int main(void)
{
    printf("%zu %zu %zu %zu %zu\n", sizeof(struct mix), sizeof(struct zero), sizeof(struct cross),
           sizeof(struct ch), sizeof(struct gap));
    printf("%zu %zu %zu %zu %zu\n", sizeof(struct flag), sizeof(struct wide), sizeof(struct tail),
           sizeof(union over), sizeof(struct en));

    struct mix m = { 5, -3, 200, -1 };
    printf("%d %d %d %d\n", m.a, m.b, m.c, m.d);
    m = make(0x155);
    printf("%d %d %d %d\n", m.a, m.b, m.c, m.d);

    /* the value of an assignment is the stored value */
    int v = (m.a = 13);
    printf("%d %d\n", v, m.a);
    v = (m.b = 17);
    printf("%d\n", v);
    v = m.c = m.a = 15;
    printf("%d %d\n", v, m.c);
    v = (m.c += 250);
    printf("%d\n", v);
    printf("%d\n", (m.d = 1));

    /* ++ and -- wrap at the field's width */
    m.a = 7; v = m.a++; printf("%d %d\n", v, m.a);
    v = --m.a; printf("%d %d\n", v, m.a);
    m.b = 15; v = ++m.b; printf("%d %d\n", v, m.b);
    v = m.b--; printf("%d %d\n", v, m.b);
    m.a = 3; m.a <<= 2; m.a |= 1; m.a ^= 7; printf("%d\n", m.a);
    m.b = -16; m.b /= 3; m.b >>= 1; printf("%d\n", m.b);
    printf("%d\n", m.c);            /* neighbours untouched */

    struct cross c = { 0xfffff, 0, 0xabcdef };
    c.b--; c.a += 2;
    printf("%x %x %x\n", c.a, c.b, c.c);
    struct zero z = { 9, 6 };
    printf("%d %d\n", z.a, z.b);
    struct gap g = { 1, 5 };
    printf("%d %d\n", g.a, g.b);
    struct ch h = { 17, 33, 9 };
    printf("%d %d %d\n", h.a, h.b, h.c);

    struct flag f = { 4, 0, 64 + 5 };
    printf("%d %d %d\n", f.on, f.off, f.n);
    f.off = 2; f.on = 0.0; f.off++; f.n = -1;
    printf("%d %d %d\n", f.on, f.off, f.n);

    struct wide w = { 0xfffffffffULL, -1 };
    w.lo -= 1; w.hi = 0x8000000;
    printf("%llu %lld\n", (unsigned long long)w.lo, (long long)w.hi);

    union over u;
    memset(&u, 0, sizeof u);
    u.all = 0x1234;
    printf("%d %d %d %d\n", u.n.n0, u.n.n1, u.n.n2, u.n.n3);
    u.n.n3 = 0xf; u.n.n0++;
    printf("%x %d\n", u.all, u.lone);
    struct en e = { E3, 3 };
    printf("%d %d %d\n", e.k == E3, e.k + 1, e.plain);

    at(1)->a += 6; at(1)->a++; at(2)->b--;
    printf("%d %d %d\n", arr[1].a, arr[2].b, idx);
    struct mix copy = arr[1], *p = &copy;
    p->c = ~0; p->a &= p->c;
    printf("%d %d %d\n", copy.c, copy.a, arr[1].c);
    printf("%d\n", m.a ? !m.a : !!m.c);
    return 0;
}
