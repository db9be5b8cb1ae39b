#include <stdio.h>
#include <string.h>

static int calls;
static int count(int v) { calls++; return v; }

static int sum1(int n, int a[n]) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
static int sum2(int r, int c, int m[r][c])
{
    int s = 0;
    for (int i = 0; i < r; i++) for (int j = 0; j < c; j++) s += m[i][j] * (j + 1);
    return s;
}
static size_t rowsize(int c, int (*m)[c + 1]) { return sizeof *m; }
static int star(int n, int m[*][*]);
static int star(int n, int m[n][n]) { return m[n - 1][n - 1]; }

static int reversed(const char *s)
{
    char buf[strlen(s) + 1];
    size_t n = strlen(s);
    for (size_t i = 0; i < n; i++) buf[i] = s[n - 1 - i];
    buf[n] = 0;
    printf("%s %zu\n", buf, sizeof buf);
    return (int)sizeof buf;
}

static int fib(int n)
{
    int f[n + 2];
    f[0] = 0; f[1] = 1;
    for (int i = 2; i <= n; i++) f[i] = f[i - 1] + f[i - 2];
    return f[n];
}
static int depth(int n)
{
    int local[n];
    for (int i = 0; i < n; i++) local[i] = n;
    int below = n > 1 ? depth(n - 1) : 0;
    return below + sum1(n, local);
}

int main(void)
{
    int n = 5;
    int a[n];
    for (int i = 0; i < n; i++) a[i] = i + 1;
    n = 100;                         /* the size is fixed at the declaration */
    printf("%zu %zu %d\n", sizeof a, sizeof a / sizeof a[0], sum1(5, a));

    int r = 3, c = 4;
    int m[r][c];
    for (int i = 0; i < r; i++) for (int j = 0; j < c; j++) m[i][j] = i * 10 + j;
    printf("%zu %zu %zu\n", sizeof m, sizeof m[0], sizeof m[0][0]);
    printf("%d %d\n", sum2(r, c, m), m[2][3]);
    printf("%ld\n", (long)(&m[2][0] - &m[0][0]));
    printf("%zu\n", rowsize(3, m));
    int (*p)[c] = m;
    p++;
    printf("%d %ld\n", (*p)[2], (long)(p - m));
    int sq[r][r];
    memset(sq, 0, sizeof sq);
    sq[2][2] = 42;
    printf("%d %d\n", star(3, sq), sq[0][1]);

    /* the size expression runs once for each time through the declaration */
    for (int i = 1; i <= 3; i++) {
        char buf[count(i) * 2];
        printf("%zu ", sizeof buf);
    }
    printf("calls %d\n", calls);
    typedef int row_t[count(6)];
    row_t x, y;
    x[5] = 1; y[5] = 2;
    printf("%zu %zu %d calls %d\n", sizeof x, sizeof(row_t), x[5] + y[5], calls);
    printf("%zu ", sizeof(int[count(7)]));
    printf("calls %d\n", calls);
    int k = 2;
    printf("%zu", sizeof(char[k++]));
    printf(" %d\n", k);
    printf("%zu", sizeof(k++));
    printf(" %d\n", k);

    int i = 0;
again:;
    short z[i + 1];
    z[i] = i;
    printf("%zu:%d ", sizeof z, z[i]);
    if (++i < 4) goto again;
    printf("\n");
    printf("%d %d %d\n", reversed("stressed"), fib(20), depth(6));
    return (int)(sizeof(row_t) / 8);
}
