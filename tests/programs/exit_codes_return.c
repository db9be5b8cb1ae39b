#include <stdio.h>
#include <stdlib.h>

/* returning from main runs the handlers; main's locals may be in static storage */
static int *watched;
static int total = 3;

static void report(void) { printf("watched %d total %d\n", *watched, total); }
static void tweak(void) { total *= 100; *watched += 1; }

static int (*pick(int w))(void);
static int seven(void) { return 7; }
static int minus(void) { return -1; }
static int (*pick(int w))(void) { return w ? seven : minus; }

int main(void)
{
    static int kept = 20;
    watched = &kept;
    atexit(report);
    atexit(tweak);
    for (int i = 0; i < 5; i++) {
        kept += i;
        if (i == 3) {
            puts("returning from a loop");
            switch (i) {
            case 3: return pick(0)() + pick(1)() * 300 - 2000;   /* 99 */
            }
        }
    }
    puts("not reached");
    return 1;
}
