#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rec { char name[8]; int age; double w; };
static int compared;

static int by_int(const void *a, const void *b) { compared++; int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
static int by_int_desc(const void *a, const void *b) { return by_int(b, a); }
static int by_str(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int by_chr(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
static int by_uchr(const void *a, const void *b) { return *(const unsigned char *)a - *(const unsigned char *)b; }
static int by_dbl(const void *a, const void *b) { double x = *(const double *)a, y = *(const double *)b; return x < y ? -1 : x > y; }
static int by_age_name(const void *a, const void *b)
{
    const struct rec *x = a, *y = b;
    return x->age != y->age ? (x->age < y->age ? -1 : 1) : strcmp(x->name, y->name);
}
static int by_name(const void *a, const void *b) { return strcmp(((const struct rec *)a)->name, ((const struct rec *)b)->name); }
static int key_mod;
static int by_mod(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    int r = x % key_mod - y % key_mod;
    return r ? r : x - y;
}
static int by_row(const void *a, const void *b) { const int *x = a, *y = b; return x[0] + x[1] - y[0] - y[1]; }
static int by_ref(const void *a, const void *b) { return by_age_name(*(struct rec *const *)a, *(struct rec *const *)b); }
static void show(const int *a, int n) { for (int i = 0; i < n; i++) printf("%d ", a[i]); printf("\n"); }

int main(void)
{
    int v[] = { 5, -3, 9, 0, 2147483647, -2147483647 - 1, 5, 1 };
    int n = sizeof v / sizeof *v;
    qsort(v, n, sizeof *v, by_int);
    show(v, n);
    printf("%d\n", compared > 0);
    qsort(v, n, sizeof *v, by_int_desc);
    show(v, n);
    int w[] = { 10, 21, 32, 13, 24, 35, 16 };
    key_mod = 10;
    qsort(w, 7, sizeof *w, by_mod);
    show(w, 7);
    key_mod = 4;
    qsort(w + 2, 4, sizeof *w, &by_mod);   /* a part only */
    show(w, 7);

    const char *s[] = { "pear", "apple", "fig", "banana", "apple pie", "" };
    qsort(s, 6, sizeof *s, by_str);
    for (int i = 0; i < 6; i++) printf("[%s]", s[i]);
    printf("\n");
    char text[] = "the quick brown fox";
    qsort(text, strlen(text), 1, by_chr);
    printf("[%s]\n", text);
    unsigned char by[] = { 200, 100, 0, 255, 128 };
    qsort(by, sizeof by, 1, by_uchr);
    printf("%d %d %d %d %d\n", by[0], by[1], by[2], by[3], by[4]);
    double d[] = { 2.5, -1, 0.25, 1e10, -1e-10 };
    qsort(d, 5, sizeof d[0], by_dbl);
    for (int i = 0; i < 5; i++) printf("%.2f ", d[i]);
    printf("\n");

    struct rec r[] = { { "dan", 30, 1 }, { "amy", 25, 2 }, { "cat", 30, 3 }, { "bob", 19, 4 } };
    int (*orders[])(const void *, const void *) = { by_age_name, by_name };
    for (int k = 0; k < 2; k++) {
        qsort(r, 4, sizeof(struct rec), orders[k]);
        for (int i = 0; i < 4; i++) printf("%s/%d/%.0f ", r[i].name, r[i].age, r[i].w);
        printf("\n");
    }
    struct rec *refs[4];
    for (int i = 0; i < 4; i++) refs[i] = &r[3 - i];
    qsort(refs, 4, sizeof *refs, by_ref);
    for (int i = 0; i < 4; i++) printf("%s:%ld ", refs[i]->name, (long)(refs[i] - r));
    printf("\n");
    int m[3][2] = { { 5, 5 }, { 1, 2 }, { 4, 0 } };
    qsort(m, 3, sizeof m[0], by_row);
    printf("%d,%d %d,%d %d,%d\n", m[0][0], m[0][1], m[1][0], m[1][1], m[2][0], m[2][1]);
    int one = 3;
    compared = 0;
    qsort(&one, 1, sizeof one, by_int);
    qsort(v, 0, sizeof *v, by_int);
    int *big = malloc(500 * sizeof *big);
    unsigned x = 12345;
    for (int i = 0; i < 500; i++) { x = x * 1103515245u + 12345u; big[i] = (int)(x >> 16) % 1000; }
    qsort(big, 500, sizeof *big, by_int);
    int ok = 1;
    for (int i = 1; i < 500; i++) ok &= big[i - 1] <= big[i];
    printf("%d %d %d\n", ok, big[0] >= 0, one);
    free(big);
    return 0;
}
