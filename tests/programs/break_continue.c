#include <stdio.h>

static int find(int m[3][4], int want)
{
    int r = -1;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            if (m[i][j] < 0) continue;
            if (m[i][j] == want) { r = i * 10 + j; break; }
        }
        if (r >= 0) break;
    }
    return r;
}

static int scan(const char *s)
{
    int n = 0;
    while (*s) {
        switch (*s++) {
        case '#': break;              /* leaves the switch only */
        case ' ': continue;           /* goes to the loop test */
        case '!': goto out;
        default: n++;
        }
        n += 100;
    }
out:
    return n;
}

int main(void)
{
    int m[3][4] = { { -1, 2, 3, 4 }, { 5, -6, 7, 8 }, { 9, 10, 11, 12 } };
    printf("%d %d %d\n", find(m, 7), find(m, 12), find(m, -6));
    printf("%d %d\n", scan("a b#c"), scan("xy!zzz"));

    /* break leaves the innermost only */
    for (int i = 0; i < 3; i++) {
        for (int j = 0; ; j++) {
            if (j > i) break;
            printf("%d%d ", i, j);
        }
    }
    printf("\n");

    /* continue in do-while goes to the condition */
    int k = 0, n = 0;
    do {
        k++;
        if (k == 2) continue;
        n += k;
    } while (k < 5);
    printf("%d %d\n", k, n);
    k = 0;
    do { k++; continue; k = 100; } while (0);
    printf("%d\n", k);

    /* continue in a loop with a side effect in the condition */
    k = 10; n = 0;
    while (k-- > 0) { if (k & 1) continue; n += k; }
    printf("%d %d\n", k, n);

    /* switch in loop in switch in loop */
    for (int a = 0; a < 4; a++) {
        switch (a) {
        case 1: continue;
        case 2:
            for (int b = 0; b < 5; b++) {
                switch (b) { case 1: continue; case 3: break; default: printf("b%d ", b); }
                if (b == 3) break;
                printf("+ ");
            }
            break;
        default: printf("d ");
        }
        printf("a%d ", a);
    }
    printf("\n");

    /* loop in switch: break belongs to the loop */
    switch (1) {
    case 1:
        while (1) { if (++n > 30) break; }
        printf("after loop %d\n", n);
    case 2:
        puts("fell");
        break;
    case 3: puts("not reached");
    }

    /* for with continue past a declaration; last step still runs */
    int last = 0;
    for (int i = 0; i < 6; last = i, i++) {
        if (i == 4) continue;
        int sq = i * i;
        if (sq > 100) break;
        n += sq;
    }
    printf("%d %d\n", last, n);

    /* break does not run the step */
    int i;
    for (i = 0; i < 10; i++) if (i == 6) break;
    printf("%d\n", i);
    int outer = 0, inner = 0;
    while (outer < 5) {
        outer++;
        for (int j = 0; j < 5; j++) {
            if (j == outer) goto next;
            if ((j + outer) % 2) continue;
            inner++;
        }
        inner += 1000;
    next:;
    }
    printf("%d %d\n", outer, inner);
    return 0;
}
