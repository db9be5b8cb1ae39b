#include <stdio.h>
#include <stdlib.h>

static int depth;
static int state = 1;

static void first(void) { printf("registered first, runs last, state %d\n", state); }
static void second(void) { state *= 2; printf("second %d\n", state); }
static void third(void) { state += 5; printf("third %d\n", state); }
static void adder(void) { printf("adder %d\n", ++state); }

struct guard { int level; const char *name; };

static void check(struct guard *g)
{
    printf("level %d %s\n", g->level, g->name);
    if (g->level == 3) {
        for (;;) {
            switch (g->level) {
            case 3:
                exit(depth + 0x200);       /* only the low eight bits are seen outside */
            default:
                puts("not reached");
            }
        }
    }
}
static int nested(int n)
{
    struct guard g = { n, n % 2 ? "odd" : "even" };
    depth += 10;
    check(&g);
    int r = nested(n + 1) + 1;
    puts("not reached either");
    return r;
}

int main(void)
{
    int rc = atexit(first);
    printf("%d\n", rc);
    atexit(second);
    atexit(adder);
    atexit(third);
    atexit(second);                        /* the same one twice */
    int v = 1;
    if (v == 2) exit(1);
    v = v && nested(0);
    printf("%d\n", v);
    return 1;
}
