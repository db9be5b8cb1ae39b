#include <stdio.h>

static int x = 1;
static int y = 2;
struct tag { int a; };
enum { K = 5 };
typedef int type;

static int get_x(void) { return x; }
static int param(int x) { x += 100; { int x = 7; x++; } return x; }
static int same_name(int same_name) { return same_name + 1; }
static int proto(int x, int (*y)(int x)) { return y(x); }
static int from_outer(void)
{
    int a = x;
    int x = 50;
    return a * 1000 + x;
}

int main(void)
{
    printf("%d\n", x);
    int x = 10;
    printf("%d %d\n", x, get_x());
    {
        printf("%d\n", x);
        int x = 20;
        {
            int y = x + 1, x = y * 2;      /* the second uses the first */
            printf("%d %d\n", x, y);
            { extern int shown; printf("%d\n", shown); }
        }
        printf("%d %d\n", x, y);
    }
    printf("%d\n", x);
    printf("%d %d %d\n", param(1), same_name(4), proto(3, same_name));
    printf("%d\n", from_outer());

    /* for-scope, body scope, if and switch scopes */
    for (int x = 0; x < 2; x++) {
        printf("%d", x);
        int x = 9;
        printf("%d ", x);
        x = 100;                           /* does not end the loop early */
    }
    printf("%d\n", x);
    for (int i = 0, x = 5; i < 2; i++) x += i, printf("%d ", x);
    printf("%d\n", x);
    if (x) { int x = 30; printf("%d ", x); } else { int x = 40; printf("%d ", x); }
    while (x == 10) { int x = 31; x++; printf("%d ", x); break; }
    do { int x = 32; printf("%d ", x); } while (x != 10);
    switch (x) { int x; case 10: x = 33; printf("%d ", x); }
    printf("%d\n", x);

    /* initialiser with an outer name through a pointer */
    int *px = &x;
    { int x = *px + 1; *px = x * 2; printf("%d %d\n", x, *px); }
    printf("%d\n", x);

    /* tags, members, labels, and ordinary names are apart */
    struct x { int x; } s = { 3 };
    goto x;
x:  printf("%d %d\n", s.x, x);
    struct tag t1 = { 1 };
    {
        struct tag { char c[2]; } t2 = { "z" };
        printf("%zu %s %zu\n", sizeof(struct tag), t2.c, sizeof t1);
    }
    {
        struct tag;                        /* a new incomplete type */
        struct tag *p = 0;
        struct tag { long l; };
        printf("%zu %d\n", sizeof *p, p == 0);
    }
    printf("%zu\n", sizeof(struct tag));

    /* constants and typedefs hidden by variables and back */
    { int K = 77; printf("%d ", K); }
    { enum { K = 6, L = K + 1 }; printf("%d %d ", K, L); }
    printf("%d\n", K);
    { int type = 8; printf("%d ", type * 2); }
    { type type = 4; printf("%d\n", type); }
    int (*printf_)(const char *, ...) = printf;
    { int get_x = 12; printf_("%d ", get_x); }
    printf_("%d\n", get_x());

    /* each pass enters the block anew; nested functions of macros */
    int sum = 0;
    for (int i = 0; i < 3; i++) { int i = 10; sum += i++; { static int i; i++; sum += i; } }
    printf("%d\n", sum);
    int v = ({ int x = 2; ({ int x = 3; x * x; }) + x; }) + x;
    printf("%d\n", v);
    { int main = 5; printf("%d\n", main); }
    return x - 22;
}
int shown = 99;
