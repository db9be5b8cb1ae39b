#include <stdio.h>

static int conds, steps;
static int cond(int v) { conds++; return v; }
static int step(int *p) { steps++; return ++*p; }
static int gcd(int a, int b) { while (b) { int t = a % b; a = b; b = t; } return a; }
static int collatz(unsigned n) { int c = 0; do { n = n & 1 ? 3 * n + 1 : n / 2; c++; } while (n != 1); return c; }

int main(void)
{
    int i, j;
    for (i = 0; i < 5; i++) ;
    printf("%d\n", i);
    for (i = 10; i-- > 7; ) printf("%d ", i);
    printf("| %d\n", i);
    for (i = 0, j = 10; i < j; i += 3, j--) printf("%d,%d ", i, j);
    printf("\n");
    for (int i = 0, k = 100; i < 2; i++, k /= 2) printf("%d %d;", i, k);
    printf(" %d\n", i);

    while (0) puts("never");
    do puts("once"); while (0);
    i = 3;
    while (i--) printf("%d ", i);
    printf("%d\n", i);
    do { i += 2; } while (i < 6);
    printf("%d\n", i);

    /* how many times condition and step run */
    i = 0;
    for (; cond(i < 4); step(&i)) { }
    printf("%d %d\n", conds, steps);
    conds = 0; i = 0;
    while (cond(i < 4)) { if (i++ == 1) continue; }
    printf("%d\n", conds);
    conds = 0; i = 0;
    do { if (++i < 3) continue; } while (cond(i < 3));
    printf("%d %d\n", conds, i);

    /* continue in a for still runs the step */
    int s = 0;
    for (i = 0; i < 10; i++) { if (i % 3) continue; s += i; }
    printf("%d %d\n", s, i);

    /* endless forms left by break */
    i = 0;
    for (;;) { if (++i == 7) break; }
    while (1) { if (++i > 10) break; }
    do { if (++i > 20) break; } while (1);
    printf("%d\n", i);

    /* body variables are fresh, statics are not */
    for (i = 0; i < 3; i++) {
        int fresh = 1;
        static int kept = 1;
        fresh *= 2; kept *= 2;
        printf("%d/%d ", fresh, kept);
    }
    printf("\n");

    /* unsigned, char and floating counters; pointers; lists */
    for (unsigned u = 3; u < 4; u--) printf("%u ", u);
    for (unsigned char c = 250; c > 5; c++) printf("%d ", c);
    for (char c = 'a'; c <= 'e'; c++) putchar(c);
    for (double d = 0; d < 1; d += 0.25) printf(" %.2f", d);
    printf("\n");
    int a[] = { 3, 1, 4, 1, 5 };
    for (int *p = a; p != a + 5; ++p) printf("%d", *p);
    for (const char *p = " text"; *p; ) putchar(*p++);
    printf("\n");

    /* nested triangle and a sieve */
    for (i = 1; i <= 3; i++) { for (j = 0; j < i; j++) printf("%d", i * j); printf(" "); }
    char comp[50] = { 0 };
    for (i = 2; i < 50; i++) {
        if (!comp[i]) printf("%d ", i);
        for (j = i * i; j < 50; j += i) comp[j] = 1;
    }
    printf("\n%d %d\n", gcd(1071, 462), collatz(27));
    if (a[0]) for (i = 0; i < 2; i++) while (j-- > 48) do s++; while (0); else s = 0;
    printf("%d\n", s);
    for (struct { int a, b; } f = { 0, 1 }; f.b < 50; f.b += f.a, f.a = f.b - f.a) printf("%d ", f.b);
    printf("\n");
    return 0;
}
