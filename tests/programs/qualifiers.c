#include <stdio.h>
#include <string.h>

static const int limit = 10;
static const int table[] = { 1, 2, 3, 5, 8 };
static volatile int flag;
static const volatile int ro_reg = 0x55;
const char *const names[] = { "ann", "bob" };
struct cfg { const int id; volatile int hits; char *restrict buf; };
static const struct cfg fixed = { 7, 1, 0 };
typedef const int cint;
typedef int *intp;

static void copy(int *restrict to, const int *restrict from, int n) { while (n-- > 0) *to++ = *from++; }
static int total(int n, const int a[restrict static 1]) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
static int const_param(const int v, int *const p) { *p += v; return v + 1; }
static const int *find(const int *a, int n, int v) { while (n--) if (*a++ == v) return a - 1; return 0; }
static const char *const_ret(void) { return "read only"; }
static size_t len(register const char *s) { const char *const b = s; while (*s) s++; return s - b; }
static int old_style(int const *const *pp) { return **pp; }

int main(void)
{
    printf("%d %d %zu\n", limit, table[4], sizeof table / sizeof *table);
    flag = 1; flag += 2; flag++;
    int seen = flag * 2 + flag;
    printf("%d %d %d\n", flag, seen, ro_reg);
    volatile unsigned char vc = 255; vc++;
    printf("%d\n", vc);
    printf("%s %s\n", names[0], names[1]);

    /* pointer to const, const pointer, both */
    int a = 1, b = 2;
    const int *pc = &a; pc = &b;
    int *const cp = &a; *cp = 50;
    const int *const cpc = &a;
    int const *volatile vp = &b;
    printf("%d %d %d %d\n", *pc, *cp, *cpc, *vp);
    a = 51;                           /* the object itself may still change */
    printf("%d\n", *cpc);
    const intp ci = &b;               /* const pointer to plain int */
    *ci = 60;
    printf("%d %d\n", b, old_style(&pc));

    int to[5];
    copy(to, table, 5);
    printf("%d %d\n", to[3], total(5, to));
    int acc = 5;
    printf("%d ", const_param(3, &acc));
    printf("%d\n", acc);
    const int *hit = find(table, 5, 5);
    printf("%ld %d\n", (long)(hit - table), find(table, 5, 4) == 0);
    printf("%s %zu\n", const_ret(), len(const_ret()));

    char text[8] = "abc";
    struct cfg c = { 3, 0, text };
    c.hits++; c.hits++; c.buf[0] = 'A';
    printf("%d %d %s %d\n", c.id, c.hits, text, fixed.id);
    const struct cfg *pcfg = &c;
    pcfg->buf[1] = 'B';               /* const does not reach through the pointer */
    printf("%s %d\n", pcfg->buf, pcfg->hits);
    struct cfg copy2 = *pcfg;
    copy2.hits = 99;
    printf("%d %d\n", copy2.hits, c.hits);

    /* local const from run-time values, in loops */
    for (int i = 0; i < 3; i++) {
        const int sq = i * i;
        cint next = sq + 1;
        printf("%d,%d ", sq, next);
    }
    printf("\n");
    volatile int *dev = (volatile int *)&a;
    *dev = 9; *dev |= 16;
    printf("%d\n", a);
    int *away = (int *)pc;            /* the target is not const */
    *away = 61;
    printf("%d\n", b);
    volatile struct { int x; char y[4]; } vs = { 1, "xyz" };
    vs.x++; vs.y[1] = 'Q';
    printf("%d %c%c%c\n", vs.x, vs.y[0], vs.y[1], vs.y[2]);
    const double pi = 3.25; long const volatile lv = 4; unsigned const u = ~0u;
    printf("%.2f %ld %u\n", pi * 2, lv, u);
    const int m[2][2] = { { 1, 2 }, { 3, 4 } }; const int (*row)[2] = m;
    printf("%d\n", row[1][0]);
    __const int gc = 4; __volatile__ int gv = 5; int *__restrict gr = to;
    printf("%d %d\n", gc + gv, *gr);
    static const char *const volatile odd = "odd";
    printf("%s\n", odd);
    return limit - 10;
}
