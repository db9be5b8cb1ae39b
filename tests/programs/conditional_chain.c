/* A long chain of conditionals is read once per level. */
#include <stdio.h>
static int f(int x) { return x; }
#define STEP(n) f(x) == n ? n * 2 :
#define TEN(n) STEP(n) STEP(n + 1) STEP(n + 2) STEP(n + 3) STEP(n + 4) STEP(n + 5) STEP(n + 6) STEP(n + 7) STEP(n + 8) STEP(n + 9)
int main(void) {
    int x = 37;
    printf("%d\n", TEN(0) TEN(10) TEN(20) TEN(30) TEN(40) -1);
    printf("%d\n", (x - 37) ?: (x - 37) ?: (x - 36) ?: 5);
    return 0;
}
