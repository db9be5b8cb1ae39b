#include <stdio.h>
#include <stdlib.h>

static char *trace[16];
static int nt;
static void mark(char *s) { trace[nt++] = s; }

static int open_three(int fail)
{
    int rc = -1;
    char *a = 0, *b = 0;
    mark("a");
    a = malloc(4);
    if (fail == 1) goto out;
    mark("b");
    b = malloc(4);
    if (fail == 2) goto free_a;
    mark("c");
    if (fail == 3) goto free_b;
    rc = 0;
free_b:
    mark("fb");
    free(b);
free_a:
    mark("fa");
out:
    free(a);
    return rc;
}

static int leave_nested(int target)
{
    int i, j, k;
    for (i = 0; i < 4; i++)
        for (j = 0; j < 4; j++)
            for (k = 0; k < 4; k++) {
                if (i * 16 + j * 4 + k == target) goto found;
            }
    return -1;
found:
    return i * 100 + j * 10 + k;
}

static int into_else(int v)
{
    if (v == 0) goto inside;
    if (v > 10) {
        return 1;
    } else {
        v = 50;
inside:
        v += 5;
    }
    return v;
}

static int over_decl(int skip)
{
    int r = 0;
    if (skip) goto past;
    r = 1;
    {
        int x = 7;
        r += x;
    past:
        x = 20;                      /* assigned before use on both ways */
        r += x;
    }
    return r;
}

static int into_loop(int n)
{
    int i = 5, s = 0;
    if (n) goto body;
    for (i = 0; i < 8; i++) {
body:
        s += i;
    }
    return s;
}

static int out_of_switch(int v)
{
    switch (v) {
    case 1: goto two;
    case 2:
    two: return 22;
    case 3: goto done;
    default: return 0;
    }
done: return 33;
}

int main(void)
{
    for (int f = 0; f <= 3; f++) {
        nt = 0;
        int rc = open_three(f);
        printf("%d:", rc);
        for (int i = 0; i < nt; i++) printf(" %s", trace[i]);
        printf("\n");
    }
    printf("%d %d %d\n", leave_nested(27), leave_nested(0), leave_nested(64));
    printf("%d %d %d\n", into_else(0), into_else(5), into_else(11));
    printf("%d %d\n", over_decl(0), over_decl(1));
    printf("%d %d\n", into_loop(0), into_loop(1));
    printf("%d %d %d %d\n", out_of_switch(1), out_of_switch(2), out_of_switch(3), out_of_switch(4));
    goto end;
    puts("skipped");
    { lab: puts("also skipped"); }
end:;
    int printf_like = 3;             /* label name and variable name spaces differ */
    goto printf_like;
    printf_like = 4;
printf_like:
    printf("%d\n", printf_like);
    goto a;
a: b: c: puts("several labels");
    return printf_like;
}
