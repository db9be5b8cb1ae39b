/* Side effects become statements, conversions become casts. */
#include <stdio.h>
struct point { int x, y; };
static struct point origin = {.y = 2};
int f(int a, char b) { return a += b; }
int main(void) {
    int i = 0, a[3] = {1, 2};
    unsigned char c = 200;
    a[i++] += f(i, c) * 2u;
    long s = (c > 100 && a[0]++) ? c << 4 : -1;
    struct point p = origin, *q = &p;
    q->x = i ?: 7;
    printf("%ld %d\n", s, p.x--);
    return 0;
}
