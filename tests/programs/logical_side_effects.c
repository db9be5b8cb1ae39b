#include <stdio.h>
#include <string.h>

static char seen[64];
static int t(char c, int v) { size_t n = strlen(seen); seen[n] = c; seen[n + 1] = 0; return v; }
static void show(int v) { printf("%d %s\n", v, seen); seen[0] = 0; }
struct node { int v; struct node *next; };

int main(void)
{
    show(t('a', 1) && t('b', 2));
    show(t('a', 0) && t('b', 1));
    show(t('a', 5) || t('b', 1));
    show(t('a', 0) || t('b', 0));
    show(t('a', 0) || t('b', 4) || t('c', 1));
    show(t('a', 1) && t('b', 0) || t('c', 3));
    show(t('a', 1) || t('b', 0) && t('c', 3));
    show((t('a', 1) || t('b', 0)) && t('c', 3));
    show(t('a', 0) && t('b', 0) || t('c', 0) && t('d', 1) || t('e', 1));
    show(!t('a', 3));
    show(!!t('a', 3) == 1);
    show(!(t('a', 0) || t('b', 0)) && !t('c', 0));
    show((t('a', 1) && t('b', 1)) + 0 * 2);

    /* the result is always int 0 or 1 */
    int a = 5, b = 8;
    printf("%d %d %d %d\n", a && b, a & b, a || 0, a | b);
    printf("%zu %zu\n", sizeof(1LL && 1LL), sizeof(!1.0));
    int x = (a && b) + (a || b) + !a + !!b;
    printf("%d\n", x);

    /* assignments and increments in the operands */
    int i = 0, j = 0;
    if (i++ && j++) puts("no");
    printf("%d %d\n", i, j);
    if (i++ || j++) puts("yes");
    printf("%d %d\n", i, j);
    int k = (i = 0) || (j = 7);
    printf("%d %d %d\n", i, j, k);
    k = i && (j = 9);
    printf("%d %d\n", j, k);
    k = i++ == 0 && i == 1;          /* sequence point */
    printf("%d\n", k);
    while (i < 10 && ++j < 12) i += 2;
    printf("%d %d\n", i, j);

    /* guards */
    struct node n2 = { 2, 0 }, n1 = { 1, &n2 }, *p = 0;
    printf("%d\n", p && p->v == 1);
    p = &n1;
    printf("%d %d\n", p && p->next && p->next->v == 2, p->next->next && p->next->next->v);
    int arr[3] = { 1, 2, 3 }, idx = 0;
    while (idx < 3 && arr[idx] != 9) idx++;
    printf("%d\n", idx);
    int zero = 0;
    printf("%d\n", zero != 0 && 10 / zero > 1);

    /* non-integer operands */
    double d = 0.1; float f = 0; char *s = "", *nul = 0;
    printf("%d %d %d %d\n", d && 1, f || 0, s && !nul, !d);
    printf("%d %d\n", !s, (0.5 && 0.25) + !nul);
    long long big = 0x100000000LL;
    printf("%d %d %d\n", big && 1, !big, big || 0);
    unsigned char c = 0;
    printf("%d\n", (unsigned char)(c - 1) && !c);

    /* as statements and in nested conditions */
    a && t('m', 1);
    zero || (t('n', 0), t('o', 1));
    show(0);
    if (!(t('p', 1) && !t('q', 0))) puts("no"); else show(1);
    for (i = 0; t('f', i < 2) && t('g', 1); i++) ;
    show(i);
    int v = t('u', 0) ? t('v', 1) && t('w', 1) : t('x', 0) || t('y', 2);
    show(v);
    k = 1; k &= a && b; k |= !a << 3; show(k);
    return a > 1 && b > 1 || zero;
}
