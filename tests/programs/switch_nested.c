#include <stdio.h>

static int duff(char *to, const char *from, int count)
{
    int n = (count + 3) / 4, rounds = 0;
    switch (count % 4) {
    case 0: do { rounds++; *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--n > 0);
    }
    *to = 0;
    return rounds;
}
static const char *range(int v)
{
    switch (v) {
    case 1 ... 5: return "low";
    case 6 ... 9: return "mid";
    default: return "none";
    case 10: return "ten";
    case -8 ... -1: return "neg";
    }
}
static int in_block(int v)
{
    int r = 0;
    switch (v) {
        if (r) {
    case 1: r += 1;
        } else {
    case 2: r += 2;
        }
        r += 10;
        break;
        for (r = 0; r < 3; r++) {
    case 3: r += 100;
        }
    default: r += 1000;
    }
    return r;
}
static int big(long long v)
{
    switch (v) {
    case 0: return 0;
    case 5000000000LL: return 1;
    case -5000000000LL: return 2;
    case 705032704: return 3;            /* low 32 bits of five thousand million */
    case 0x7fffffffffffffffLL: return 4;
    case 10000000000LL ... 10000000010LL: return 5;
    }
    return -1;
}
static int machine(const char *s)
{
    int state = 0, words = 0;
    for (; *s; s++)
        switch (state) {
        case 0:
            switch (*s) {
            case ' ': continue;
            case '"': state = 2; break;
            default: state = 1; words++;
            }
            break;
        case 1: if (*s == ' ') state = 0; break;
        case 2: switch (*s) { case '"': state = 0; words += 100; }
        }
    return words;
}
/* a resumable counter: labels within a loop */
static int gen(int *st, int *i)
{
    switch (*st) {
    case 0:
        for (*i = 1; *i <= 3; ++*i) {
            *st = 1;
            return *i * *i;
    case 1:;
        }
        *st = 2;
    case 2: break;
    }
    return -1;
}

int main(void)
{
    char buf[16];
    for (int n = 1; n <= 9; n += 2) {
        int r = duff(buf, "abcdefghijkl", n);
        printf("%s %d\n", buf, r);
    }
    duff(buf, "abcdefgh", 8);
    puts(buf);
    for (int v = -9; v <= 11; v += 4) printf("%s ", range(v));
    printf("%s\n", range(10));
    for (int v = 1; v <= 4; v++) printf("%d ", in_block(v));
    printf("\n%d %d %d %d %d %d %d\n", big(5000000000LL), big(-5000000000LL), big(705032704),
           big(0x7fffffffffffffffLL), big(10000000007LL), big(10000000011LL), big(0));
    printf("%d\n", machine("  two words \"a quoted one\" x"));
    int st = 0, i = 0, v;
    while ((v = gen(&st, &i)) >= 0) printf("%d ", v);
    printf("%d\n", st);

    /* inner breaks leave only the inner switch */
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 3; b++)
            switch (a) {
            case 0: switch (b) { case 1: printf("x"); break; default: printf("y"); case 5: ; } printf("z "); break;
            case 1: switch (b) default: case 2: printf("w%d ", b);
            }
    printf("\n");
    unsigned long ul = 1;
    switch (-ul) { case 0xffffffffffffffffUL: puts("all ones"); break; case 0xffffffff: puts("half"); }
    return 2;
}
