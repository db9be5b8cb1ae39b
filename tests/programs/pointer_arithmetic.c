#include <stdio.h>
#include <stddef.h>

struct rec { char tag; int v; double d; };

static int sum(const int *b, const int *e) { int s = 0; while (b != e) s += *b++; return s; }
static size_t len(const char *s) { const char *p = s; while (*p) p++; return p - s; }

int main(void)
{
    int a[10];
    for (int *p = a; p < a + 10; p++) *p = (int)(p - a) * 3;
    printf("%d %d %d\n", *(a + 4), 5[a], (a + 2)[3]);
    printf("%d %d\n", sum(a, a + 10), sum(&a[2], &a[5]));

    int *p = a + 9, *q = a + 2;
    printf("%ld %ld\n", (long)(p - q), (long)(q - p));
    printf("%d %d %d\n", p > q, q >= p, p - 7 == q);
    printf("%ld\n", (long)((char *)p - (char *)q));
    p -= 3; q += 1;
    printf("%d %d %d\n", *p, *q, p[-2]);
    short k = -1; unsigned char uc = 2; long l = 3;
    printf("%d %d %d\n", p[k], p[uc], *(l + q));
    printf("%d\n", *(p + k + uc - l));

    /* increments */
    p = a;
    int r1 = *p++;
    int r2 = *++p;
    int r3 = ++*p;
    int r4 = (*p)++;
    int r5 = *p--;
    printf("%d %d %d %d %d at %ld\n", r1, r2, r3, r4, r5, (long)(p - a));

    /* structures: stride is sizeof */
    struct rec rs[4] = { { 'a', 1, .5 }, { 'b', 2, 1.5 }, { 'c', 3, 2.5 }, { 'd', 4, 3.5 } };
    struct rec *rp = rs;
    printf("%c %d %.1f\n", (rp + 1)->tag, rp[2].v, (*(rp + 3)).d);
    printf("%c\n", (++rp)->tag);
    printf("%d\n", rp++->v);
    printf("%d\n", ++rp->v);
    printf("%ld %ld\n", (long)(rp - rs), (long)((char *)rp - (char *)rs));
    double *dp = &rs[0].d;
    dp = (double *)((char *)dp + sizeof(struct rec));
    printf("%.1f\n", *dp);

    /* two-dimensional strides */
    int m[3][4];
    for (int i = 0; i < 12; i++) m[i / 4][i % 4] = i;
    int (*row)[4] = m;
    printf("%d %d %d\n", row[1][2], (*(row + 2))[3], *(*(m + 1) + 1));
    row++;
    printf("%d %ld\n", **row, (long)(row - m));
    printf("%ld\n", (long)((char *)(row + 1) - (char *)row));
    printf("%ld\n", (long)((char *)(&m + 1) - (char *)&m));
    printf("%ld\n", (long)(&m[2][0] - &m[2][3]));

    /* one past the end is fine to form and compare */
    int *end = &a[10];
    printf("%ld %d\n", (long)(end - a), end[-1]);
    printf("%zu\n", len("pointer"));
    const char *s = "walk";
    while (*s) putchar(*s++ - 32);
    putchar('\n');
    printf("%c%c\n", "abcdef"[3], *("xyz" + 1));

    /* GNU: arithmetic on void pointers goes by one byte */
    void *v = a;
    v += sizeof(int) * 3;
    printf("%d\n", *(int *)v);
    char **argv = (char *[]){ "one", "two", "three", 0 };
    int n = 0;
    for (char **w = argv; *w; ++w) { n += (int)len(*w); printf("%c", **w); }
    printf(" %d %c\n", n, *++*argv);
    printf("%c\n", *argv[0]);
    return 0;
}
