#include <stdio.h>
#include <stddef.h>

struct shape {
    int kind;
    union {
        struct { int x, y; };
        struct { int w, h; } box;
        int raw[2];
        long both;
    };
    const char *name;
};
struct deep { struct { union { struct { char a; union { int b; float f; }; }; long pad; }; int tail; }; };
union reg {
    unsigned whole;
    struct { unsigned short low, high; };
    struct { unsigned b0 : 8, : 8, b2 : 8, b3 : 8; };
    unsigned char bytes[4];
};
struct mixed { int a; struct { int b; struct { int c; }; }; int d; };
struct twice { struct { int x; } p; struct { int x; } q; struct { int x; }; };

static int sum(struct mixed m) { return m.a + m.b * 10 + m.c * 100 + m.d * 1000; }
static struct shape make(int x, int y) { struct shape s = { .kind = 1, .x = x, .y = y, .name = "made" }; return s; }

static struct shape table[] = {
    { 1, { { 2, 3 } }, "first" },
    { .kind = 2, .box = { .w = 7, .h = 8 }, .name = "second" },
    { .name = "third", .raw[1] = 9 },
    { 4, { .both = 0x100000002L }, "fourth" },
};

int main(void)
{
    for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct shape *s = &table[i];
        printf("%d %d %d %d %s\n", s->kind, s->x, s->y, s->raw[0] + s->box.h, s->name);
    }
    struct shape t = make(5, 6);
    t.box.w *= 10;
    printf("%d %d %ld\n", t.x, t.raw[1], t.both);
    t.y++;
    printf("%d %d\n", t.box.h, make(1, 2).raw[1]);
    printf("%zu %zu %zu\n", sizeof(struct shape), offsetof(struct shape, y), offsetof(struct shape, name));

    struct deep d = { 0 };
    d.a = 'q'; d.f = 1.0f; d.tail = 3;
    printf("%c %x %d\n", d.a, d.b, d.tail);
    printf("%zu %zu %zu\n", sizeof d, offsetof(struct deep, b), offsetof(struct deep, tail));
    int *pb = &d.b;
    *pb = 0x40000000;
    printf("%.1f\n", d.f);

    union reg r = { 0xdeadbeef };
    printf("%x %x %x %x %x\n", r.low, r.high, r.b0, r.b2, r.b3);
    r.high = 0x1234; r.b0 = 0x55;
    printf("%x %x\n", r.whole, r.bytes[1]);

    struct mixed m = { 1, { 2, { 3 } }, 4 };
    struct mixed e = { 1, 2, 3, 4 };              /* braces elided */
    struct mixed g = { .c = 3, .d = 4, .a = 1 };
    struct mixed h = { .b = 5, 6, 7 };            /* continues after b */
    printf("%d %d %d %d\n", sum(m), sum(e), sum(g), sum(h));

    struct twice w = { { 1 }, { 2 }, { 3 } };
    w.x += w.p.x + w.q.x;
    printf("%d %d %d\n", w.p.x, w.q.x, w.x);

    struct { int a; union { int u; char c; }; } loc = { 1, { 65 } }, *pl = &loc;
    printf("%d %c\n", pl->a, pl->c);
    printf("%d\n", (int)((struct mixed){ .c = 9 }).c);
    return 4;
}
