#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>

struct vec { int n; int data[]; };
struct str { unsigned char len; char text[]; };
struct big { char c; double v[]; };
struct pt { short x, y; };
struct path { size_t n; struct pt p[]; };
struct gnu0 { int n; char z[0]; };

static struct vec *vec_new(int n)
{
    struct vec *v = malloc(sizeof *v + n * sizeof v->data[0]);
    v->n = n;
    for (int i = 0; i < n; i++) v->data[i] = i + 1;
    return v;
}
static struct vec *vec_push(struct vec *v, int x)
{
    v = realloc(v, sizeof(struct vec) + (v->n + 1) * sizeof(int));
    v->data[v->n++] = x;
    return v;
}
static int vec_sum(const struct vec *v)
{
    int s = 0;
    for (const int *p = v->data; p != v->data + v->n; p++) s += *p;
    return s;
}
static struct str *str_new(const char *s)
{
    size_t n = strlen(s);
    struct str *r = malloc(offsetof(struct str, text) + n + 1);
    r->len = n;
    memcpy(r->text, s, n + 1);
    return r;
}

/* GNU: a static object may initialise the flexible member */
static struct vec preset = { 3, { 7, 8, 9 } };

int main(void)
{
    printf("%zu %zu\n", sizeof(struct vec), offsetof(struct vec, data));
    printf("%zu %zu\n", sizeof(struct str), offsetof(struct str, text));
    printf("%zu %zu\n", sizeof(struct big), offsetof(struct big, v));
    printf("%zu %zu\n", sizeof(struct path), offsetof(struct path, p));
    printf("%zu %zu\n", sizeof(struct gnu0), offsetof(struct gnu0, z));

    struct vec *v = vec_new(4);
    printf("%d %d\n", v->n, vec_sum(v));
    for (int i = 0; i < 20; i++) v = vec_push(v, i * i);
    printf("%d %d %d\n", v->n, vec_sum(v), v->data[23]);

    /* assignment of the structure copies only the fixed part */
    struct vec *w = vec_new(2);
    w->data[0] = -1; w->data[1] = -2;
    *w = *v;
    printf("%d %d %d\n", w->n, w->data[0], w->data[1]);
    struct vec head = *v;
    printf("%d\n", head.n);
    free(w);
    free(v);

    struct str *s = str_new("flexible"), *t = str_new("");
    printf("%s %d [%s] %d\n", s->text, s->len, t->text, t->len);
    s->text[0] -= 32;
    puts(s->text);
    free(s); free(t);

    struct path *pa = calloc(1, sizeof *pa + 3 * sizeof(struct pt));
    pa->n = 3;
    pa->p[1] = (struct pt){ 4, 5 };
    pa->p[2].y = pa->p[1].x * 2;
    printf("%zu %d %d %d %d\n", pa->n, pa->p[0].x, pa->p[1].y, pa->p[2].x, pa->p[2].y);
    free(pa);

    struct big *b = malloc(sizeof *b + 2 * sizeof(double));
    b->c = 'b'; b->v[0] = 1.5; b->v[1] = b->v[0] * 2;
    printf("%c %.1f\n", b->c, b->v[1]);
    free(b);

    printf("%d %d %zu\n", vec_sum(&preset), preset.data[2], sizeof preset);
    preset.data[1] = 80;
    printf("%d\n", vec_sum(&preset));
    return 0;
}
