#include <stdio.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct pair { int a, b; };

static void swap(int *x, int *y) { int t = *x; *x = *y; *y = t; }
static void set(int **pp, int *v) { *pp = v; }
static int *pick(int *a, int *b, int w) { return w ? a : b; }
static void fill(int a[], int n) { for (int i = 0; i < n; i++) a[i] = i * i; }
static size_t parm(int a[10]) { return sizeof(a); }

int main(void)
{
    int x = 1, y = 2;
    int *p = &x, *q = &y;
    int **pp = &p;
    int ***ppp = &pp;

    swap(p, q);
    printf("%d %d\n", x, y);
    **pp = 10; ***ppp += 5;
    printf("%d\n", x);
    set(&p, &y);
    printf("%d %d\n", *p, **pp);
    *pick(&x, &y, 0) = 77;
    printf("%d %d\n", x, y);
    printf("%d %d %d\n", p == q, p != &x, pp == &p);

    /* & and * cancel, arrays decay, functions decay */
    int arr[5];
    fill(arr, 5);
    printf("%d %d\n", *&arr[3], *(&*arr + 2));
    printf("%d %d\n", &arr[0] == arr, (void *)&arr == (void *)arr);
    int (*pa)[5] = &arr;
    printf("%d %d %zu\n", (*pa)[4], pa[0][1], sizeof *pa);
    printf("%zu %zu\n", parm(arr), sizeof arr);

    /* pointers to array elements and struct members */
    struct pair s = { 3, 4 }, *ps = &s;
    int *pb = &ps->b;
    *pb = 40; (*ps).a = 30;
    printf("%d %d\n", s.a, ps->b);
    int **table[2];
    int *one = &arr[1], *two = &arr[2];
    table[0] = &one; table[1] = &two;
    printf("%d\n", **table[0] + **table[1]);

    /* null */
    int *n = NULL, *n2 = 0;
    void *v = n;
    printf("%d %d %d %d\n", n == NULL, !n, n == n2, v == 0);
    if (p && !n) puts("ok");

    /* void* round trip and character access */
    v = &x;
    *(int *)v = 0x01020304;
    unsigned char *bytes = v;
    printf("%d %d %d %d\n", bytes[0], bytes[1], bytes[2], bytes[3]);
    bytes[3] = 0;
    printf("%x\n", x);
    uintptr_t addr = (uintptr_t)&arr[1];
    int *back = (int *)(addr + sizeof(int));
    printf("%d %d\n", *back, (int)((uintptr_t)&arr[3] - addr));
    *(&arr[0] + 1) = 5;
    printf("%d\n", arr[1]);

    /* pointer to pointer on the heap */
    int **rows = malloc(3 * sizeof *rows);
    for (int i = 0; i < 3; i++) {
        rows[i] = malloc((i + 1) * sizeof **rows);
        for (int j = 0; j <= i; j++) rows[i][j] = 10 * i + j;
    }
    printf("%d %d %d\n", rows[0][0], *(*(rows + 2) + 1), *rows[1]);
    for (int i = 0; i < 3; i++) free(rows[i]);
    free(rows);
    const int *pc = &x; int *const cp = &x;
    *cp = 9; pc = &y;
    printf("%d %d\n", x, *pc);
    return *pick(&x, &y, 1);
}
