#include <stdio.h>
#include <stddef.h>
#define alignas _Alignas
#define alignof _Alignof

struct a { char c; };
struct b { char c; int i; };
struct c { char c; double d; char e; };
struct d { struct b b; char t; };
struct e { short s[3]; char c; };
struct f { char c; union { long l; char b; } u; char e[3]; };
struct g { char a; struct { char b; short c; } in; int d[2][3]; };
struct empty { };
union u { char c[9]; int i; };
struct ptrs { char c; void *p; int (*f)(void); };
struct al { alignas(16) char c; char d; };

static int calls;
static int side(void) { calls++; return 1; }
static char grab(void) { calls++; return 'c'; }

int main(void)
{
    printf("%zu %zu %zu %zu %zu\n", sizeof(struct a), sizeof(struct b), sizeof(struct c), sizeof(struct d), sizeof(struct e));
    printf("%zu %zu %zu %zu %zu\n", sizeof(struct f), sizeof(struct g), sizeof(struct empty), sizeof(union u), sizeof(struct ptrs));
    printf("%zu %zu\n", sizeof(struct al), _Alignof(struct al));
    printf("%zu %zu %zu %zu\n", _Alignof(char), _Alignof(short), alignof(int), __alignof__(double));
    printf("%zu %zu %zu %zu\n", _Alignof(struct c), _Alignof(struct e), _Alignof(union u), _Alignof(int[5]));
    printf("%zu %zu %zu\n", offsetof(struct b, i), offsetof(struct c, e), offsetof(struct d, t));
    printf("%zu %zu %zu\n", offsetof(struct f, u), offsetof(struct f, u.b), offsetof(struct f, e[2]));
    printf("%zu %zu %zu\n", offsetof(struct g, in.c), offsetof(struct g, d[1]), offsetof(struct g, d[1][2]));
    printf("%zu %zu\n", offsetof(struct ptrs, f), __builtin_offsetof(struct d, b.i));

    /* the operand is not evaluated */
    int i = 5;
    printf("%zu %zu %zu", sizeof(i++), sizeof side(), sizeof(i = 9));
    printf(" %d %d\n", i, calls);
    printf("%zu %zu\n", sizeof grab(), sizeof(grab() + 0));
    int *np = 0;
    printf("%zu %zu %d\n", sizeof *np, sizeof np[7], calls);

    /* types of expressions */
    char ch = 0; short sh = 0; float fl = 0;
    printf("%zu %zu %zu %zu\n", sizeof ch, sizeof +ch, sizeof(ch = 3), sizeof(ch, sh));
    printf("%zu %zu %zu\n", sizeof(fl + 1), sizeof(fl + 1.0), sizeof(1 ? ch : 1L));
    printf("%zu %zu %zu\n", sizeof 'a', sizeof(1 == 2), sizeof(sizeof 1));
    printf("%zu %zu\n", sizeof(void), sizeof(side));

    /* arrays and pointers */
    int arr[7]; char m[3][5]; char *pv[4];
    printf("%zu %zu %zu %zu\n", sizeof arr, sizeof(arr + 0), sizeof &arr, sizeof *&arr);
    printf("%zu %zu %zu %zu\n", sizeof m, sizeof m[0], sizeof *m[0], sizeof(m, m[0]));
    printf("%zu %zu\n", sizeof pv, sizeof pv / sizeof *pv);
    printf("%zu %zu %zu\n", sizeof(int *), sizeof(int (*)[9]), sizeof(int *[9]));
    printf("%zu %zu\n", sizeof(struct b[3]), sizeof(char[2][3][4]));
    printf("%zu\n", sizeof((struct g *)0)->in);
    printf("%zu %zu\n", sizeof(int) * 2, sizeof(i) - 1);
    printf("%zu\n", sizeof (char) + 1 > 1 ? sizeof(struct c) : 0);
    printf("%d\n", (int)(sizeof i - 5 > 0));
    unsigned long t = sizeof(int[sizeof(struct b)]);
    printf("%lu\n", t);
    enum { N = sizeof(struct f) / _Alignof(struct f) };
    char sized[N];
    printf("%zu %d\n", sizeof sized, N);
    alignas(32) int big = 1; alignas(double) char cbuf[3] = "ok";
    printf("%d %d %s\n", (int)((size_t)&big % 32), (int)((size_t)cbuf % 8), cbuf);
    /* container from member */
    struct d x = { { 'q', 3 }, 't' };
    int *pi = &x.b.i;
    struct d *back = (struct d *)((char *)pi - offsetof(struct d, b.i));
    printf("%c\n", back->t);
    return calls;
}
