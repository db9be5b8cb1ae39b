#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls;
static int check(int v) { calls++; return v; }
static int half(int n)
{
    assert(n % 2 == 0);
    return n / 2;
}
static int find(const int *a, int n, int v)
{
    assert(a != NULL && n >= 0);
    for (int i = 0; i < n; i++) {
        assert(i >= 0 && i < n);
        if (a[i] == v) return i;
    }
    assert(!"value must be there" || n >= 0);
    return -1;
}
static void sort(int *a, int n)
{
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && a[j - 1] > a[j]; j--) {
            int t = a[j]; a[j] = a[j - 1]; a[j - 1] = t;
            assert(a[j - 1] <= a[j]);
        }
    for (int i = 1; i < n; i++) assert(a[i - 1] <= a[i]);
}
static int only(int x) { if (x > 0) assert(x < 100); else assert(x > -100); return x; }

int main(void)
{
    assert(1);
    assert(check(5));                      /* evaluated exactly once */
    printf("%d\n", calls);
    assert(check(1) && check(2));
    assert(check(0) || check(3));
    printf("%d\n", calls);
    assert((check(0), 1));
    assert(check(7) == 7 ? 1 : 0);
    printf("%d\n", calls);

    int x = 3;
    assert(x = 4);                         /* an assignment, on purpose */
    printf("%d\n", x);
    assert(x++ == 4);
    printf("%d\n", x);
    assert(x);
    assert(-1);
    assert(0.5 > 0.25);
    assert(2147483647 + 1u == 2147483648u);
    assert(0x100000000LL != 0);
    assert("text");
    assert(&x);
    assert(!NULL && "with a message");
    assert(strcmp("a,b", "a,b") == 0);     /* comma within a string */
    assert(sizeof(int[3]) == 3 * sizeof(int));

    printf("%d\n", half(half(20)));
    int a[] = { 5, 2, 9, 1, 7 };
    printf("%d %d\n", find(a, 5, 9), find(a, 5, 4));
    sort(a, 5);
    printf("%d %d %d %d %d\n", a[0], a[1], a[2], a[3], a[4]);
    printf("%d %d\n", only(50), only(-50));
    char *p = malloc(3);
    assert(p);
    strcpy(p, "ok");
    assert(p[0] == 'o' && p[2] == '\0');
    printf("%s\n", p);
    free(p);
    int r = (assert(x == 5), 11);          /* usable as an expression */
    printf("%d\n", r);
    for (int i = 0; i < 3; assert(i <= 3), i++) ;
    x == 5 ? assert(1) : assert(0);
    if (x != 5) assert(0); else puts("else belongs to this if");
    _Static_assert(1, "also there");
    assert(
        x == 5 &&
        r == 11
    );
    puts("all held");
    return calls;
}
