#include <stdio.h>
#include <string.h>

static unsigned long fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }
static long power(long b, unsigned e) { if (!e) return 1; long h = power(b, e / 2); return e & 1 ? h * h * b : h * h; }
static int odd(int);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }

static int moves;
static void hanoi(int n, char a, char b, char c)
{
    if (n == 0) return;
    hanoi(n - 1, a, c, b);
    moves++;
    if (n == 3) printf("%c%c ", a, c);
    hanoi(n - 1, b, a, c);
}
static void permute(char *s, int k, int *count)
{
    if (!s[k]) { if ((*count)++ < 3) printf("%s ", s); return; }
    for (int i = k; s[i]; i++) {
        char t = s[k]; s[k] = s[i]; s[i] = t;
        permute(s, k + 1, count);
        t = s[k]; s[k] = s[i]; s[i] = t;
    }
}
static int queens(int n, int row, unsigned cols, unsigned d1, unsigned d2)
{
    int c = 0;
    if (row == n) return 1;
    for (int i = 0; i < n; i++) {
        unsigned a = 1u << i, b = 1u << (row + i), e = 1u << (row - i + n);
        if (cols & a || d1 & b || d2 & e) continue;
        c += queens(n, row + 1, cols | a, d1 | b, d2 | e);
    }
    return c;
}
static void print_bin(unsigned n) { if (n > 1) print_bin(n / 2); putchar('0' + n % 2); }
static int reverse(const char *s, char *out) { if (!*s) { *out = 0; return 0; } int n = reverse(s + 1, out); out[n] = *s; out[n + 1] = 0; return n + 1; }
static int deep(int n) { int local[4] = { n, n + 1, n + 2, n + 3 }; return n ? local[3] - local[0] + deep(n - 1) : 0; }

/* each activation has its own locals, reached through pointers of the callers */
struct frame { int v; struct frame *up; };
static int chain(int n, struct frame *up)
{
    struct frame f = { n, up };
    if (n) return chain(n - 1, &f);
    int s = 0, k = 1;
    for (struct frame *p = &f; p; p = p->up) s += p->v * k++;
    return s;
}
static int expr(const char **p);
static int atom(const char **p)
{
    if (**p == '(') { ++*p; int v = expr(p); ++*p; return v; }
    int v = 0;
    while (**p >= '0' && **p <= '9') v = v * 10 + *(*p)++ - '0';
    return v;
}
static int term(const char **p) { int v = atom(p); while (**p == '*') { ++*p; v *= atom(p); } return v; }
static int expr(const char **p) { int v = term(p); for (;;) { if (**p == '+') { ++*p; v += term(p); } else if (**p == '-') { ++*p; v -= term(p); } else return v; } }

int main(void)
{
    printf("%lu %d %d %d\n", fact(20), fib(15), ack(2, 3), gcd(1071, 462));
    printf("%ld %ld\n", power(3, 20), power(-2, 31));
    printf("%d %d\n", even(40), odd(40));
    hanoi(4, 'A', 'B', 'C');
    printf("%d\n", moves);
    char s[] = "abcd"; int n = 0;
    permute(s, 0, &n);
    printf("%d %s\n", n, s);
    printf("%d\n", queens(5, 0, 0, 0, 0));
    print_bin(37); putchar('\n');
    char out[16]; reverse("recursion", out); puts(out);
    printf("%d %d\n", deep(200), chain(5, 0));
    const char *e = "2*(3+4)-(10-4*2)*3+100";
    printf("%d\n", expr(&e));
    static int again;
    if (again++ < 2) return main() + 1;
    return 5;
}
