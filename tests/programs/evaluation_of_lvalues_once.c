#include <stdio.h>

struct cell { int v; unsigned f : 5; struct cell *next; int arr[3]; };
static struct cell cells[4];
static int ncall, idx;
static int *ptr(int *p) { ncall++; return p; }
static struct cell *cell(int i) { ncall++; return &cells[i]; }
static int next(void) { return idx++; }
static int which(int v) { ncall++; return v; }

static void copy(char *to, const char *from) { while ((*to++ = *from++)) ; }
static int len(const char *s) { int n = 0; while (*s++) n++; return n; }

int main(void)
{
    int a[8] = { 0, 10, 20, 30, 40, 50, 60, 70 };
    int i = 0;
    a[i++] += 2;
    a[i++] -= 1;
    a[++i] *= 2;
    a[i--] |= 1;
    printf("%d %d %d %d i=%d\n", a[0], a[1], a[2], a[3], i);
    a[i++]++;
    --a[i++];
    a[--i] <<= 1;
    printf("%d %d %d i=%d\n", a[2], a[3], a[4], i);

    /* calls inside the left side run once */
    *ptr(&a[5]) += 5;
    *ptr(a + 6) /= 7;
    (*ptr(&a[7]))++;
    ++*ptr(&a[7]);
    printf("%d %d %d calls=%d\n", a[5], a[6], a[7], ncall);
    ncall = 0;
    cell(1)->v += 3; cell(1)->v *= cell(1)->v;
    cell(2)->f -= 1; cell(2)->f++; cell(2)->f += 9;
    cell(3)->arr[which(1)] += 4; cell(3)->arr[which(1)]--;
    printf("%d %d %d calls=%d\n", cells[1].v, cells[2].f, cells[3].arr[1], ncall);
    a[next()] = 100; a[next()] ^= 3; a[next()]--; a[next()] %= 10;
    printf("%d %d %d %d idx=%d\n", a[0], a[1], a[2], a[3], idx);

    /* pointer walking */
    char buf[16];
    copy(buf, "evaluate");
    printf("%s %d\n", buf, len(buf));
    int src[4] = { 1, 2, 3, 4 }, dst[4] = { 0 }, *p = dst; const int *q = src + 4;
    while (q != src) *p++ = *--q;
    printf("%d%d%d%d %ld\n", dst[0], dst[1], dst[2], dst[3], (long)(p - dst));
    p = dst;
    *p++ += 10; *p++ *= 10; *p++ <<= 4; *p-- -= 1;
    printf("%d %d %d %d %ld\n", dst[0], dst[1], dst[2], dst[3], (long)(p - dst));
    int *ptrs[3] = { dst, dst + 1, dst + 2 }, **pp = ptrs;
    **pp++ += 1; (**pp)++; *(*pp++ + 1) += 5; ++**pp;
    printf("%d %d %d %ld\n", dst[0], dst[1], dst[2], (long)(pp - ptrs));

    /* swap through indexes, values of assignments */
    i = 0;
    int t = src[i++]; src[i - 1] = src[i]; src[i] = t;
    printf("%d %d\n", src[0], src[1]);
    i = 1;
    int r = (src[i++] += 5) + 1;
    printf("%d %d %d\n", r, src[1], i);

    /* lists and conditional lvalues */
    for (int k = 0; k < 3; k++) cells[k].next = &cells[k + 1];
    struct cell *c = cells;
    (c = c->next)->v++;
    c->next->next->v += 7;
    (c = c->next->next)->v -= 2;
    printf("%d %d %ld\n", cells[1].v, cells[3].v, (long)(c - cells));
    int x = 1, y = 2;
    *(which(1) ? &x : &y) += 10; *(which(0) ? &x : &y) *= 10;
    printf("%d %d\n", x, y);
    int m[2][2] = { { 1, 2 }, { 3, 4 } }, j = 0; i = 0;
    m[i++][j++] += 10; m[i--][j--] *= 2; m[i][!j] <<= which(2);
    printf("%d %d %d %d\n", m[0][0], m[0][1], m[1][0], m[1][1]);
    char *s = buf; *s++ ^= 32; *++s -= 32; s++[1] = '-'; *s = '+';
    printf("%s\n", buf);
    return 0;
}
