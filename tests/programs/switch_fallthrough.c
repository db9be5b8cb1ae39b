#include <stdio.h>

static int grade(int s)
{
    switch (s / 10) {
    case 10:
    case 9: return 'A';
    case 8: return 'B';
    case 7: return 'C';
    default: return 'F';
    }
}
static int accumulate(int n)
{
    int r = 0;
    switch (n) {
    case 4: r += 1000;
    case 3: r += 100;
    case 2: r += 10;
    case 1: r += 1; break;
    case 0: r = -1;
    default: r -= 5;
    }
    return r;
}
static int days(int m, int leap)
{
    switch (m) {
    case 2: if (leap) return 29; else return 28;
    case 4: case 6: case 9: case 11: return 30;
    }
    return 31;
}
static const char *kind(char c)
{
    switch (c) {
    case 'a': case 'e': case 'i': case 'o': case 'u': return "vowel";
    case ' ': case '\t': case '\n': return "blank";
    case '0' ... '9': return "digit";
    case '\0': return "end";
    }
    return "other";
}
static int noted;
static int note(int v) { noted++; return v; }

int main(void)
{
    printf("%c %c %c %c\n", grade(100), grade(85), grade(70), grade(12));
    for (int i = -1; i <= 5; i++) printf("%d ", accumulate(i));
    printf("\n%d %d %d %d\n", days(2, 1), days(2, 0), days(6, 0), days(12, 0));
    for (const char *p = "a 7z"; ; p++) {
        printf("%s ", kind(*p));
        if (!*p) break;
    }
    printf("\n");

    /* no match and no default: nothing runs; the controlling expression runs once */
    switch (note(9)) { case 1: puts("one"); case 2: puts("two"); }
    switch (note(2)) { case 1: puts("one"); case 2: puts("two"); case 3: puts("three"); }
    printf("%d\n", noted);

    /* default first falls into what follows it */
    for (int i = 0; i < 3; i++) {
        int t = 0;
        switch (i) {
        default: t += 1;
        case 1: t += 10;
            break;
        case 2: t += 100;
        }
        printf("%d ", t);
    }
    printf("\n");

    /* statements before the first label never run, declarations still exist */
    switch (3) {
        int x;
        x = 1;
        puts("never");
    case 3: x = 30; printf("%d\n", x); break;
    }

    /* without braces, empty bodies, and a label at the end */
    switch (1) case 1: puts("single");
    switch (2) case 1: puts("not printed");
    switch (5) { }
    switch (noted++) { case 2: ; }
    switch (noted) { case 3: puts("three"); default: ; }

    /* conversion to the promoted type of the controlling expression */
    unsigned char uc = 255;
    switch (uc) { case -1: puts("bad"); break; case 255: puts("255"); break; }
    switch ((signed char)uc) { case -1: puts("-1"); break; case 255: puts("bad"); break; }
    switch (4294967295u) { case -1: puts("unsigned -1"); break; default: puts("bad"); }
    switch (0x100000001LL) { case 1: puts("bad"); break; default: puts("wide"); }
    switch ((_Bool)7) { case 1: puts("true"); break; case 7: puts("bad"); }
    switch (noted > 2) { case 0: puts("no"); break; case 1: puts("yes"); }
    return accumulate(4) - 1100;
}
