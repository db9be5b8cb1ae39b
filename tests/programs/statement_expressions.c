#include <stdio.h>

#define MAX(a, b) ({ int _a = (a), _b = (b); _a > _b ? _a : _b; })
#define CLAMP(v, lo, hi) ({ int _v = (v); _v = _v < (lo) ? (lo) : _v; _v > (hi) ? (hi) : _v; })
#define CHECK(c) ({ if (!(c)) return -1; 1; })
#define SUM(arr) ({ int _s = 0; for (unsigned _i = 0; _i < sizeof(arr) / sizeof *(arr); _i++) _s += (arr)[_i]; _s; })

struct p { int x, y; char t[4]; };
static int calls;
static int hit(int v) { calls++; return v; }
static int check(int v) { int r = CHECK(v > 0) + CHECK(v < 10); return r; }
static int find(const int *a, int n, int v)
{
    int k = ({ int i; for (i = 0; i < n; i++) if (a[i] == v) break; i; });
    return k == n ? -1 : k;
}
static int early(int v) { return 10 + ({ if (v) return v * 100; 5; }); }

int main(void)
{
    printf("%d %d\n", MAX(3, 7), MAX(-3, -7));
    int i = 5;
    int m = MAX(i++, 2);
    printf("%d %d\n", m, i);
    printf("%d\n", MAX(MAX(1, hit(4)), MAX(hit(3), 2)));
    printf("%d\n", calls);
    printf("%d %d %d\n", CLAMP(5, 0, 3), CLAMP(-5, 0, 3), CLAMP(2, 0, 3));
    printf("%d %d %d\n", check(5), check(0), check(12));
    int arr[] = { 1, 2, 3, 4 };
    printf("%d %d %d\n", SUM(arr), find(arr, 4, 3), find(arr, 4, 9));
    printf("%d %d\n", early(0), early(3));

    /* nesting, shadowing, statics */
    int x = 1;
    int y = ({ int x = 2; ({ int x = 3; x * 10; }) + x; }) + x;
    printf("%d\n", y);
    for (int k = 0; k < 3; k++) printf("%d ", ({ static int s = 10; s++; }));
    printf("\n");

    /* control flow inside: loops, switch, goto out, break and continue of the outer loop */
    int w = ({ int r; switch (i) { case 6: r = 60; break; default: r = 0; } r; });
    printf("%d\n", w);
    int f = ({ int n = 1; do { n *= 2; } while (n < 100); n; });
    printf("%d\n", f);
    for (int k = 0; k < 6; k++) {
        int v = ({ if (k == 1) continue; if (k == 4) break; k * k; });
        printf("%d ", v);
    }
    printf("\n");
    int tries = 0;
    ({ if (tries == 0) goto after; });
    puts("skipped");
after:
    tries = ({ int t = 0; top: t++; if (t < 5) goto top; t; });
    printf("%d\n", tries);

    /* types of the value */
    struct p s = ({ struct p t = { 1, 2, "st" }; t.x += 10; t; });
    printf("%d %d %s\n", s.x, s.y, s.t);
    printf("%d\n", ({ s; }).x);
    printf("%d\n", s.y);
    char *q = ({ char *c = s.t; c + 1; });
    *q = 'T';
    printf("%s\n", s.t);
    double d = ({ 1.5; }) * ({ 2; });
    printf("%.1f %zu\n", d, sizeof(({ (char)1; })));
    printf("%c\n", ({ char b[3] = "ab"; b[1]; }));
    unsigned char uc = ({ 300; });
    printf("%d\n", uc);

    /* void ones, empty ones, as operands */
    ({ x++; (void)0; });
    ({ ; });
    ({ if (x == 2) printf("two\n"); });
    x = ({ hit(1); }) && ({ 0; }) || ({ 1; }) ? ({ 7; }) : ({ 8; });
    printf("%d\n", x);
    arr[({ x = 2; x; })] += ({ 5; });
    printf("%d\n", arr[2]);
    while (({ x--; x >= 0; })) printf("%d ", x);
    printf("\n");
    if (({ int t = hit(2); t > 1; })) printf("yes %d\n", calls);
    x = 3;
    printf("%d\n", ({ int o = x; x = 10; o; }));
    printf("%d\n", x += ({ 1; }));
    return ({ int r = 4; r + 5; });
}
