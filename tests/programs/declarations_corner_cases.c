/* Forms of declarations that are rare but legal. */
#include <stddef.h>
#include <stdio.h>
typedef void nothing;
static int none(nothing) { return 3; }
[[maybe_unused]] static int marked(void) { return 4; }
static int counted(int k, int a[k++]) { return k + (a != 0); }
static int twice(int n, int m[*][*]);
static int twice(int n, int m[n][n]) { return m[n - 1][n - 1]; }
_Atomic unsigned char byte;
int main(void) {
    const int fixed = 3;
    *(int *)&fixed;
    int m[2][2] = {{1, 2}, {3, 4}}, é = 5;
    unsigned char expected = 0;
    printf("%d %d %d %d %d\n", none(), marked(), counted(3, 0), twice(2, m), é);
    printf("%d ", __atomic_compare_exchange_n((unsigned char *)&byte, &expected, 9, 0, 5, 5));
    printf("%d\n", byte);
    return 0;
}
