#include <stdio.h>

static char log_[64];
static int nlog;
static int say(char c, int v) { log_[nlog++] = c; log_[nlog] = 0; return v; }
static void act(char c) { say(c, 0); }
static int two(int a, int b) { return a * 10 + b; }
struct s { int a; char c; };

int main(void)
{
    int a = (1, 2, 3);
    printf("%d\n", a);
    int b;
    b = 4, a = 5;                    /* assignment binds tighter */
    printf("%d %d\n", a, b);
    int r = (say('x', 1), say('y', 2), say('z', 3));
    printf("%d %s\n", r, log_);
    nlog = 0;
    r = (act('v'), say('w', 9));     /* left operand may be void */
    printf("%d %s\n", r, log_);

    /* argument lists use another comma */
    printf("%d %d\n", two((1, 2), 3), two((a++, a), (b--, b)));
    printf("%d %d\n", a, b);

    /* sequence point between the operands */
    int i = 0;
    int v = (i++, i++, i + i);
    printf("%d %d\n", v, i);
    int arr[4] = { 0 };
    i = (arr[0] = 3, arr[1] = arr[0] + 1, arr[arr[0]] = arr[1] * 2);
    printf("%d %d %d %d %d\n", arr[0], arr[1], arr[2], arr[3], i);
    int *p = (a = 1, &arr[a]);
    printf("%d\n", *p);

    /* in for, if, while, return, index, conditional */
    int j;
    for (i = 0, j = 8; i < j; i++, j -= 2) printf("%d:%d ", i, j);
    printf("\n");
    if (i = 0, j = 1, j) puts("taken");
    while (i++, i < 3) printf("%d ", i);
    printf("%d\n", i);
    printf("%d\n", arr[i = 0, i + 1]);
    v = i ? (a = 1, 2) : (a = 3, 4);
    printf("%d %d\n", v, a);
    v = (nlog = 0, 1) && (say('k', 0), 0) || (say('m', 5), 7);
    printf("%d %s\n", v, log_);

    /* type of the result: arrays decay, no promotion, not an lvalue */
    char c = 'c';
    char buf[10] = "buffer";
    printf("%zu %zu %zu\n", sizeof(c, c), sizeof(0, c), sizeof(0, buf));
    printf("%zu\n", sizeof(0, 1.0f));
    printf("%s %c\n", (0, buf), (1, buf)[2]);
    struct s x = { 1, 'q' }, y = { 2, 'w' };
    printf("%d %c\n", (x, y).a, (y, x).c);
    x = (a++, y);
    printf("%d %c\n", x.a, x.c);
    int (*f)(int, int) = (0, two);
    printf("%d\n", (a, f)(6, 7));

    /* void result and nested lists */
    (act('1'), act('2'));
    act('3'), act('4'), (void)0;
    printf("%s\n", log_);
    a = ((1, 2), (3, (4, 5)));
    printf("%d\n", a);
    a += (b = 2, b * 2), b = 100;
    printf("%d %d\n", a, b);
    int x1 = 1, x2 = (x1++, x1 * 5), x3 = x2 + 1;   /* commas of the declaration */
    printf("%d %d %d\n", x1, x2, x3);
    unsigned char n = (0, 300);
    printf("%d\n", n);
    do a--, b--; while (a > 5, b > 95);
    printf("%d %d\n", a, b);
    switch (a = 1, b = 2, a + b) { case 3: puts("three"); }
    return nlog = 5, two(0, nlog);
}
