#include <stdio.h>

struct s { int n; char c; unsigned f : 3; int g : 3; short *p; double d; };
static int evals;
static int at(int i) { evals++; return i; }
static struct s objs[2];
static struct s *obj(int i) { evals++; return &objs[i]; }

int main(void)
{
    int i = 5;
    int a = i++, b = ++i, c = i--, d = --i;
    printf("%d %d %d %d %d\n", a, b, c, d, i);

    /* narrow types: the result has the type of the operand, the value wraps */
    unsigned char uc = 255; signed char sc = 127; short sh = -32768; unsigned short us = 0; char ch = 'y';
    a = uc++; printf("%d %d\n", a, uc);
    a = uc--; printf("%d %d\n", a, uc);
    a = ++uc; printf("%d\n", a);
    a = ++sc; printf("%d\n", a);
    a = sc--; printf("%d %d\n", a, sc);
    a = --sh; printf("%d\n", a);
    a = us--; printf("%d %d\n", a, us);
    ch++; printf("%c%c", ch, ch + 1 > 122 ? '.' : '!');
    printf("%zu %zu\n", sizeof(uc++), sizeof(++us));
    _Bool t = 0;
    a = t++; b = t++; printf("%d %d %d ", a, b, t);
    a = t--; printf("%d %d ", a, t);
    a = --t; printf("%d %d\n", a, t);
    unsigned long ul = 0; ul--; printf("%lu\n", ul);
    float f = 1.5f; double dd = -0.5;
    f++; --f; f--; dd++;
    printf("%.2f %.2f\n", f, dd);
    double old = dd--;
    printf("%.2f %.2f\n", old, dd);

    /* pointers */
    int arr[6] = { 10, 20, 30, 40, 50, 60 }, *p = arr;
    a = *p++; b = *p; printf("%d %d\n", a, b);
    a = (*p)++; printf("%d %d\n", a, *p);
    a = ++*p; printf("%d %d\n", a, arr[1]);
    a = *++p; printf("%d %ld\n", a, (long)(p - arr));
    a = --*p--; printf("%d %d %ld\n", a, arr[2], (long)(p - arr));
    int **pp = &p;
    a = *++*pp; printf("%d\n", a);
    a = *(*pp)++; printf("%d %d\n", a, *p);
    a = p++[1]; printf("%d %d\n", a, *p);
    const char *s = "abc";
    while (*s) putchar(*s++);
    putchar('\n');
    int m[2][3] = { 1, 2, 3, 4, 5, 6 }, (*row)[3] = m;
    a = (*row++)[1]; printf("%d %d\n", a, **row);

    /* array elements: the index is evaluated once */
    i = 0;
    arr[i++]++; ++arr[i++]; arr[at(2)]--; --arr[at(3)];
    printf("%d %d %d %d %d %d\n", arr[0], arr[1], arr[2], arr[3], i, evals);
    a = arr[--i]++; printf("%d %d %d\n", a, arr[1], i);

    /* members and bit-fields, by pointer from a call */
    short sv[3] = { 7, 8, 9 };
    objs[1] = (struct s){ 1, 127, 7, 3, sv, 0.5 };
    evals = 0;
    a = obj(1)->n++; b = ++obj(1)->c; printf("%d %d %d %d\n", a, b, objs[1].n, evals);
    a = obj(1)->f++; b = obj(1)->f; printf("%d %d\n", a, b);
    a = --obj(1)->f; b = ++obj(1)->g; printf("%d %d\n", a, b);
    a = *obj(1)->p++; b = ++*obj(1)->p; printf("%d %d %d\n", a, b, sv[1]);
    obj(1)->d--; printf("%.1f %d\n", objs[1].d, evals);
    struct s *q = objs;
    a = q++->n; b = q->n; printf("%d %d\n", a, b);
    a = (--q)->n++; printf("%d %d\n", a, objs[0].n);

    /* in expressions */
    i = 3;
    a = i++ * 2; b = -i--; c = !i++; d = ~--i;
    printf("%d %d %d %d %d\n", a, b, c, d, i);
    int x = 1, y = 2;
    a = x+++y; printf("%d %d %d\n", a, x, y);
    volatile int v = 4; v++; a = v--; printf("%d %d\n", a, v);
    return i;
}
