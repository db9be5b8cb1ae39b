#include <stdio.h>
#include <string.h>

struct point { int x, y; };
struct rect { struct point a, b; char name[8]; };
struct big { long v[20]; struct point p; };
struct one { char c; };
struct mixed { char c; float f; short s; double d; };
struct node { int v; struct node *next; };
struct wrap { struct { int in1; struct { int deep; } in2; } w; };

static struct point make(int x, int y) { struct point p; p.x = x; p.y = y; return p; }
static struct point add(struct point a, struct point b) { a.x += b.x; a.y += b.y; return a; }
static int area(struct rect r) { int w = r.b.x - r.a.x; r.a.x = 999; return w * (r.b.y - r.a.y); }
static struct big grow(struct big b, int k) { for (int i = 0; i < 20; i++) b.v[i] += k; b.p.x = k; return b; }
static long total(struct big b) { long s = 0; for (int i = 0; i < 20; i++) s += b.v[i]; return s; }
static struct one bump(struct one o) { o.c++; return o; }
static struct mixed twice(struct mixed m) { m.c *= 2; m.f *= 2; m.s *= 2; m.d *= 2; return m; }
static struct rect *widen(struct rect *r, int k) { r->b.x += k; return r; }
static struct big recur(int n, struct big b) { return n ? recur(n - 1, grow(b, n)) : b; }

static struct point zero;

int main(void)
{
    struct point p = make(1, 2), q = p;
    q.x = 10;
    printf("%d %d %d %d\n", p.x, p.y, q.x, q.y);
    p = add(p, q);
    printf("%d %d\n", p.x, p.y);
    printf("%d\n", add(make(3, 4), make(5, 6)).y);
    printf("%d %d\n", zero.x, zero.y);

    struct rect r = { { 0, 0 }, { 4, 5 }, "box" }, r2;
    printf("%d %d %s\n", area(r), r.a.x, r.name);
    r2 = r;
    r2.name[0] = 'f';
    strcpy(r2.name + 1, "ax");
    printf("%s %s\n", r.name, r2.name);
    printf("%d %d\n", widen(&r, 3)->b.x, widen(widen(&r2, 1), 1)->b.x);
    r.a = r.b;
    r.b = make(-1, -2);
    printf("%d %d %d %d\n", r.a.x, r.a.y, r.b.x, r.b.y);
    struct point *pp = &r.b;
    pp->x = 60; *pp = add(*pp, *pp);
    printf("%d %d\n", r.b.x, r.b.y);

    struct big b = { { 1, 2, 3 } }, c;
    c = grow(b, 5);
    printf("%ld %ld %d %d\n", total(b), total(c), b.p.x, c.p.x);
    printf("%ld %d\n", total(recur(4, b)), recur(3, b).p.x);

    struct one o = { 'a' };
    o = bump(bump(o));
    printf("%c %zu\n", o.c, sizeof o);
    struct mixed m = twice((struct mixed){ 3, 1.25f, -7, 0.5 });
    printf("%d %.2f %d %.2f %zu\n", m.c, m.f, m.s, m.d, sizeof m);

    /* chained assignment, value of an assignment, swap */
    struct point s, t, u;
    s = t = u = make(8, 9);
    printf("%d %d %d\n", s.x, t.y, (u = p).x);
    struct point tmp = s; s = u; u = tmp;
    printf("%d %d\n", s.x, u.x);

    /* arrays of structures, self reference, copying over itself */
    struct rect rs[3] = { r, r2, { .name = "last" } };
    rs[0] = rs[2]; rs[2].a = rs[1].b;
    rs[1] = rs[1];
    printf("%s %s %d\n", rs[0].name, rs[1].name, rs[2].a.x);
    struct node n3 = { 3, 0 }, n2 = { 2, &n3 }, n1 = { 1, &n2 };
    n1.next->next->v = 30;
    n2 = *n1.next->next;
    printf("%d %d %d\n", n1.next->v, n2.next == 0, n3.v);
    struct wrap w = { { 5, { 6 } } }, w2 = w;
    w2.w.in2.deep *= w.w.in1;
    printf("%d %d\n", w.w.in2.deep, w2.w.in2.deep);
    struct point { char c; } inner = { 'i' };
    printf("%c %zu %zu\n", inner.c, sizeof(struct point), sizeof p);
    return 0;
}
