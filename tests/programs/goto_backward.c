#include <stdio.h>

static int sum_to(int n)
{
    int s = 0;
top:
    if (n <= 0) return s;
    s += n--;
    goto top;
}

static int two_loops(int n)
{
    int i = 0, j, t = 0;
outer:
    if (i >= n) goto done;
    j = 0;
inner:
    if (j >= i) { i++; goto outer; }
    t += i * j;
    j++;
    goto inner;
done:
    return t;
}

static int retry(int *tries)
{
    int left = 3;
again:
    ++*tries;
    for (int i = 0; i < 4; i++) {
        if (i == 2 && left-- > 0) goto again;   /* leaves the loop, starts over */
    }
    return left;
}

static int into_block(void)
{
    int n = 0, r = 0;
    {
        int x = 100;
        r += x;
    entry:
        x = n * 10;                  /* set before use whichever way we come */
        r += x;
        n++;
    }
    if (n < 4) goto entry;
    return r;
}

static int into_while(void)
{
    int k = 0, rounds = 0;
    while (k < 3) {
        k++;
    mid:
        rounds++;
    }
    if (rounds < 10) { if (rounds > 5) k = 0; goto mid; }
    return rounds * 10 + k;
}

static int fresh_init(void)
{
    int pass = 0, s = 0;
back:;
    int v = 5;                       /* initialised on each pass */
    v += pass;
    s = s * 10 + v;
    static int st = 1;               /* only once */
    st++;
    if (++pass < 3) goto back;
    return s * 10 + st;
}

static int in_if(int n)
{
    int r = 0;
    if (n > 2) {
    yes:
        r += 1;
    } else {
    no:
        r += 100;
    }
    if (r < 3) goto yes;
    if (r < 200) goto no;
    return r;
}

static int do_while_again(void)
{
    int i = 0, c = 0;
    do {
    start:
        i++;
        if (i % 3 == 0) goto start;
        c++;
    } while (i < 10);
    return c * 100 + i;
}

static int in_switch(int v)
{
    int r = 0;
restart:
    switch (v) {
    case 0: return r;
    case 1: v = 0; r += 1; goto restart;
    case 2: v = 1; r += 10; goto restart;
    default: v--; r += 1000; goto restart;
    }
}

int main(void)
{
    int t = 0;
    printf("%d %d\n", sum_to(10), two_loops(5));
    int left = retry(&t);
    printf("%d %d\n", left, t);
    printf("%d\n", into_block());
    printf("%d\n", into_while());
    printf("%d\n", fresh_init());
    printf("%d %d\n", in_if(5), in_if(0));
    printf("%d\n", do_while_again());
    printf("%d %d\n", in_switch(2), in_switch(5));
    int n = 3;
loop: printf("%d ", n);
    if (--n) goto loop;
    puts("go");
    return 0;
}
