#include <stdio.h>
#include <string.h>

struct point { int x, y; };
struct line { struct point a, b; const char *name; int w[4]; };
enum { MON, TUE, WED, DAYS };

static int sparse[] = { [5] = 50, [2] = 20, 21, 22, [0] = 1 };
static const char *day[DAYS] = { [WED] = "wed", [MON] = "mon", [TUE] = "tue" };
static struct line lines[] = {
    [1] = { .b = { 3, 4 }, .name = "one" },
    [0] = { .name = "zero", .a.x = 9, .w[2] = 7, 8 },
    [3].name = "three", [3].a = { 5, 6 },
};
static int grid[3][3] = { [1] = { [1] = 5 }, [2][0] = 7, 8, [0][2] = 3 };
static union { int i; char c[4]; float f; } un = { .c = { 'a', 'b' } };
static char vowel[256] = { ['a'] = 1, ['e'] = 1, ['i'] = 1, ['o'] = 1, ['u'] = 1 };
static int (*fn[3])(const char *) = { [1] = puts };
static struct point *pp = &(struct point){ .y = 2, .x = 1 };

static int count(const char *s) { int n = 0; for (; *s; s++) n += vowel[(unsigned char)*s]; return n; }

int main(void)
{
    printf("%zu:", sizeof sparse / sizeof *sparse);
    for (unsigned i = 0; i < sizeof sparse / sizeof *sparse; i++) printf(" %d", sparse[i]);
    printf("\n%s %s %s\n", day[0], day[1], day[2]);
    printf("%zu\n", sizeof lines / sizeof *lines);
    for (int i = 0; i < 4; i++)
        printf("%d %d %d %d %s %d %d\n", lines[i].a.x, lines[i].a.y, lines[i].b.x, lines[i].b.y,
               lines[i].name ? lines[i].name : "-", lines[i].w[2], lines[i].w[3]);
    for (int i = 0; i < 9; i++) printf("%d ", grid[i / 3][i % 3]);
    printf("\n%s %d\n", un.c, un.i);
    printf("%d\n", count("designated initializers"));
    printf("%d %d\n", fn[0] == 0, fn[1] == puts);
    printf("%d %d\n", pp->x, pp->y);

    /* in blocks, with run-time values */
    int k = 3;
    struct point p = { .y = k, .x = k * 2 };
    printf("%d %d\n", p.x, p.y);
    struct line l = { .w = { [3] = k, [1] = k + 1 }, .a = p, .b.y = p.x };
    printf("%d %d %d %d %d %d %d\n", l.a.x, l.a.y, l.b.x, l.b.y, l.w[0], l.w[1], l.w[3]);
    printf("%d\n", l.name == 0);

    /* the later initializer wins */
    struct point q = { 1, 2, .x = 5 };
    printf("%d %d\n", q.x, q.y);
    int o[4] = { 1, 2, 3, 4, [1] = 20, 30 };
    printf("%d %d %d %d\n", o[0], o[1], o[2], o[3]);
    struct line c = { .a = { 1, 2 }, .a.y = 50 };
    printf("%d %d\n", c.a.x, c.a.y);

    /* after a designator, the order goes on from there */
    struct { int a, b, c, d; } s = { .c = 3, 4, .a = 1 };
    printf("%d %d %d %d\n", s.a, s.b, s.c, s.d);
    struct { struct point p[2]; int z; } nest = { .p[1].x = 10, 11, 12 };
    printf("%d %d %d %d\n", nest.p[0].x, nest.p[1].x, nest.p[1].y, nest.z);
    char text[8] = { [0] = 'h', 'i', [4] = '!' };
    printf("%s %zu %c\n", text, strlen(text), text[4]);

    /* old GNU spelling */
    struct point g = { y: 8, x: 7 };
    printf("%d %d\n", g.x, g.y);
    int r[] = { [2 ... 4] = 6, [7] = 1 };
    printf("%zu %d %d %d %d\n", sizeof r / sizeof *r, r[1], r[2], r[4], r[5]);
    return 0;
}
