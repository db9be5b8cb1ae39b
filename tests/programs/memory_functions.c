#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>

struct rec { int id; double w; char tag[4]; struct rec *link; };

static int all(const void *p, int v, size_t n) { const unsigned char *b = p; while (n--) if (*b++ != v) return 0; return 1; }

int main(void)
{
    /* malloc and calloc */
    int *a = malloc(10 * sizeof *a);
    for (int i = 0; i < 10; i++) a[i] = i;
    printf("%d %d\n", a[9], a != NULL);
    int *z = calloc(8, sizeof *z);
    printf("%d %d\n", all(z, 0, 8 * sizeof *z), z[7]);
    printf("%d\n", (int)((uintptr_t)a % 16));

    /* realloc keeps the old part; from NULL it allocates */
    a = realloc(a, 100 * sizeof *a);
    for (int i = 10; i < 100; i++) a[i] = -i;
    printf("%d %d %d\n", a[0], a[9], a[99]);
    a = realloc(a, 3 * sizeof *a);
    printf("%d %d\n", a[1], a[2]);
    char *s = realloc(NULL, 6);
    strcpy(s, "fresh");
    s = realloc(s, 64);
    strcat(s, " and grown");
    printf("%s\n", s);
    free(s); free(a); free(z); free(NULL);

    /* memcpy: returns the target, copies exactly n bytes */
    char buf[16] = "0123456789";
    printf("%d\n", memcpy(buf + 10, "ABC", 3) == buf + 10);
    printf("%s %d\n", buf, buf[13]);
    memcpy(buf, "zz", 0);
    printf("%c\n", buf[0]);

    /* memmove with overlap in both directions and onto itself */
    char m[] = "abcdefgh";
    memmove(m + 2, m, 5);
    printf("%s\n", m);
    strcpy(m, "abcdefgh");
    memmove(m, m + 2, 5);
    printf("%s\n", m);
    memmove(m, m, 8);
    printf("%s\n", m);
    int v[6] = { 1, 2, 3, 4, 5, 6 };
    memmove(v + 1, v, 5 * sizeof *v);
    printf("%d %d %d %d\n", v[0], v[1], v[2], v[5]);
    memmove(v, v + 3, 3 * sizeof *v);
    printf("%d %d %d %d\n", v[0], v[1], v[2], v[3]);

    /* memset takes the low byte */
    unsigned u[3];
    memset(u, 0x1ab, sizeof u);
    printf("%x %x\n", u[0], u[2]);
    memset(u + 1, 0, sizeof *u);
    printf("%x %x %x\n", u[0], u[1], u[2]);
    memset(v, -1, sizeof v);
    printf("%d %d\n", v[0], v[5]);

    /* memcmp */
    unsigned char x[3] = { 1, 2, 255 }, y[3] = { 1, 2, 1 };
    printf("%d %d %d\n", memcmp(x, y, 2), memcmp(x, y, 3) > 0, memcmp(y, x, 3) < 0);
    printf("%d\n", memcmp(x, y, 0));

    /* structures by bytes, pointers included */
    struct rec r1 = { 7, 2.5, "abc", &r1 }, r2;
    memcpy(&r2, &r1, sizeof r2);
    printf("%d %.1f %s %d\n", r2.id, r2.w, r2.tag, r2.link == &r1);
    r2.link->id++;
    printf("%d %d\n", r1.id, r2.id);
    memset(&r2, 0, sizeof r2);
    printf("%d %.1f %d\n", r2.id, r2.w, r2.link == NULL);
    struct rec *heap = malloc(3 * sizeof *heap);
    for (int i = 0; i < 3; i++) { heap[i] = r1; heap[i].id = i; heap[i].link = &heap[(i + 1) % 3]; }
    printf("%d %d\n", heap[2].link->id, heap[0].link->link->id);
    memcpy(&heap[0].link, &heap[2].link, sizeof heap[0].link);
    printf("%d\n", heap[0].link == heap);
    free(heap);

    /* representation */
    float f = 1.0f; uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    printf("%x\n", bits);
    bits += 0x800000;
    memcpy(&f, &bits, sizeof f);
    printf("%.1f\n", f);
    long l = 0; memcpy((char *)&l + 3, "\x01", 1);
    printf("%ld\n", l);
    char **rows = malloc(3 * sizeof *rows);
    for (int i = 0; i < 3; i++) { rows[i] = calloc(i + 2, 1); memset(rows[i], 'a' + i, i + 1); }
    printf("%s %s %s\n", rows[0], rows[1], rows[2]);
    for (int i = 0; i < 3; i++) free(rows[i]);
    free(rows);
    return 0;
}
