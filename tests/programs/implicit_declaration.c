#include <stdio.h>

static int depth;

static int use_in_helper(int n)
{
    /* never declared before this point */
    return helper_below(n) + 1;
}

static int through_arg(int a)
{
    return outer_call(inner_call(a), inner_call(a + 1));
}

int main(void)
{
    int r = triple(7);
    printf("%d\n", r);
    printf("%d %d\n", no_args(), no_args());
    printf("%d\n", use_in_helper(10));
    printf("%d\n", through_arg(3));

    /* arguments get the default promotions */
    char c = 'A'; short s = -5; unsigned char u = 250; _Bool b = 1;
    printf("%d\n", four(c, s, u, b));
    float f = 1.5f;
    printf("%d\n", takes_double(f));
    printf("%d\n", takes_long(40L, 2L));
    printf("%d\n", takes_text("implicit", 3));
    int v = 4;
    bump(&v);
    bump(&v);
    printf("%d\n", v);

    /* in expressions, conditions and discarded */
    if (is_even(10) && !is_even(7)) puts("parity ok");
    for (int i = 0; less_than(i, 3); i++) printf("%d ", triple(i));
    printf("\n");
    triple(1);
    (void)triple(2);
    long wide = negative() - 1;
    printf("%ld\n", wide);
    printf("%.1f\n", triple(5) / 2.0);
    printf("%zu\n", sizeof(triple(1)));
    {
        int x = in_block(2);
        printf("%d\n", x);
    }
    printf("%d\n", in_block(5));
    printf("%d\n", mutual_a(6));
    depth = count_calls(3);
    return depth;
}

int triple(int x) { return x * 3; }
int no_args(void) { return 9; }
int helper_below(int n) { return n * n; }
int outer_call(int a, int b) { return a * 100 + b; }
int inner_call(int a) { return a + 2; }
int four(int a, int b, int c, int d) { return a * 1000 + b * 100 + c + d; }
int takes_double(double d) { return (int)(d * 4); }
int takes_long(long a, long b) { return (int)(a + b); }
int takes_text(const char *s, int i) { return s[i]; }
int bump(int *p) { return ++*p; }
int is_even(int v) { return v % 2 == 0; }
int less_than(int a, int b) { return a < b; }
int negative(void) { return -1; }
int in_block(int v) { return v << 4; }
int mutual_a(int n) { return n <= 0 ? 1 : 1 + mutual_b(n - 1); }
int mutual_b(int n) { return n <= 0 ? 2 : 2 * mutual_a(n - 1); }
int count_calls(int n) { return n ? 1 + count_calls(n - 1) : 0; }
