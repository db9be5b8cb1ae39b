#include <stdio.h>

struct in { int a, b; };
struct out { struct in p; int v[3]; struct in q[2]; char s[4]; };

static struct out full = { { 1, 2 }, { 3, 4, 5 }, { { 6, 7 }, { 8, 9 } }, "abc" };
static struct out elided = { 1, 2, 3, 4, 5, 6, 7, 8, 9, "xyz" };
static struct out mixed = { { 1 }, { 3 }, { { 6 }, 8, 9 }, { 'm', 'n' } };
static struct out partial = { 1 };
static int m[2][3] = { 1, 2, 3, 4 };
static int m2[][2] = { { 1 }, 2, 3, { 4, 5 }, 6 };
static char exact[3] = "abc";
static char longer[6] = "ab";
static char open[] = "open";
static char braced[] = { "braced" };
static char rows[][4] = { "a", { 'b', 'c' }, { "def" }, "ghij" };
static int range[10] = { [1 ... 3] = 5, [7 ... 8] = 9, 4 };
static int empty[3] = {};
static const char *ptrs[] = { "one", "two" "more", 0 };
static struct { struct in *p; int *q; char *c; } refs = { &full.q[1], full.v + 2, &exact[1] };
static struct in pairs[3][2] = { { { 1, 2 }, 3 }, [2] = { 4, 5, 6 } };

static void show(const struct out *o)
{
    printf("%d %d|%d %d %d|%d %d %d %d|%c%c%d\n", o->p.a, o->p.b, o->v[0], o->v[1], o->v[2],
           o->q[0].a, o->q[0].b, o->q[1].a, o->q[1].b, o->s[0], o->s[1] ? o->s[1] : '.', o->s[3]);
}

int main(void)
{
    mixed.s[0] = mixed.s[0] ? mixed.s[0] : '?';
    show(&full); show(&elided); show(&mixed);
    partial.s[0] = '.';
    show(&partial);
    for (int i = 0; i < 6; i++) printf("%d ", m[i / 3][i % 3]);
    printf("%d\n", m[1][1]);
    printf("%zu:", sizeof m2 / sizeof *m2);
    for (unsigned i = 0; i < sizeof m2 / sizeof *m2; i++) printf(" %d,%d", m2[i][0], m2[i][1]);
    printf("\n%c%c%c %zu\n", exact[0], exact[1], exact[2], sizeof exact);
    printf("%s %d %d %zu\n", longer, longer[2], longer[5], sizeof longer);
    printf("%zu %zu %s\n", sizeof open, sizeof braced, braced);
    printf("%zu %s %s %s %c%c\n", sizeof rows / 4, rows[0], rows[1], rows[2], rows[3][0], rows[3][3]);
    for (int i = 0; i < 10; i++) printf("%d ", range[i]);
    printf("\n%d %d\n", empty[0], empty[2]);
    printf("%s %s %d\n", ptrs[0], ptrs[1], ptrs[2] == 0);
    printf("%d %d %c\n", refs.p->b, *refs.q, *refs.c);
    for (int i = 0; i < 6; i++) printf("%d,%d ", pairs[i / 2][i % 2].a, pairs[i / 2][i % 2].b);
    printf("\n");

    /* automatic: the rest is set to zero; structure values initialise sub-objects */
    int k = 4;
    struct in w = { k, k + 1 };
    struct out loc = { w, { k }, { w, { .b = 3 } }, "q" };
    show(&loc);
    struct out loc2 = { w, k, k, k, w, 1, 2, "r" };
    show(&loc2);
    struct in arr[] = { w, 1, 2, w, { 7 } };
    printf("%zu %d %d %d %d\n", sizeof arr / sizeof *arr, arr[0].b, arr[1].b, arr[2].a, arr[3].b);
    for (int t = 0; t < 2; t++) {
        char buf[5] = "hi";
        int z[4] = { t };
        printf("%s %d %d %d\n", buf, buf[4], z[0], z[3]);
        buf[4] = 'x'; z[3] = 9;
    }
    int scalar = { 12 }, *p = { &scalar };
    printf("%d %d\n", scalar, *p);
    char *name[2][2] = { "a", "b", { "c" } };
    printf("%s%s%s %d\n", name[0][0], name[0][1], name[1][0], name[1][1] == 0);
    int trail[] = { 1, 2, 3, };
    return sizeof trail / sizeof *trail;
}
