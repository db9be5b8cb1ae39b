#include <stdio.h>
#include <string.h>
#include <limits.h>

static int as_char(char c) { return c; }
static int as_uchar(unsigned char c) { return c; }
static char ret_char(int v) { return v; }
static unsigned char ret_uchar(int v) { return v; }
static int count_high(const char *s) { int n = 0; for (; *s; s++) if (*s < 0) n++; return n; }

int main(void)
{
    char c = 200; signed char sc = 200; unsigned char uc = 200;
    printf("%d %d %d\n", c, sc, uc);
    printf("%d %d %d\n", c < 0, CHAR_MIN, (char)-1 == -1);
    printf("%d %d %d\n", c == sc, c == uc, (unsigned char)c == uc);
    printf("%d %d %d\n", c == 200, uc == 200, c == (char)200);
    printf("%d %d\n", '\xff', '\377' == -1);
    printf("%d %d\n", '\x80' < 0, "\xe9"[0]);
    printf("%d\n", (unsigned char)"\xe9"[0]);

    /* three distinct types */
    printf("%d %d %d\n", _Generic(c, char: 1, signed char: 2, unsigned char: 3),
           _Generic(sc, char: 1, signed char: 2, unsigned char: 3),
           _Generic(uc, char: 1, signed char: 2, unsigned char: 3));

    /* calls and returns convert */
    printf("%d %d %d %d\n", as_char(255), as_uchar(-1), ret_char(130), ret_uchar(-2));
    printf("%d %d\n", as_char(uc), as_uchar(c));

    /* extension to wider types */
    unsigned u = c; unsigned u2 = uc; long l = c; unsigned long ul = sc;
    unsigned short us = c; short s = uc;
    printf("%u %u %ld %lu %d %d\n", u, u2, l, ul, us, s);
    printf("%x %x %x\n", c, uc, c & 0xff);
    printf("%d %d %d\n", c >> 4, uc >> 4, (unsigned char)c >> 4);
    printf("%d %d\n", c / 2, uc / 2);

    /* wraparound */
    c = 127; c++; printf("%d ", c);
    c--; printf("%d ", c);
    uc = 0; uc--; printf("%d ", uc);
    sc = -128; sc--; printf("%d ", sc);
    sc = -128; sc = -sc; printf("%d\n", sc);

    /* counting loops over all byte values */
    int sum = 0, n = 0;
    for (unsigned char k = 1; k; k++) { sum += k; n++; }
    printf("%d %d\n", sum, n);
    sum = n = 0;
    for (signed char k = 1; k > 0; k++) { sum += k; n++; }
    printf("%d %d\n", sum, n);

    /* characters as indexes */
    int freq[256] = { 0 };
    const char *text = "caf\xc3\xa9 \xff caf\xc3";
    for (const char *p = text; *p; p++) freq[(unsigned char)*p]++;
    printf("%d %d %d %d\n", freq[0xc3], freq[0xff], freq['c'], count_high(text));
    char mid[256] = { 0 }; char *center = mid + 128;
    center[(char)0x90] = 'n'; center[(char)0x10] = 'p';
    printf("%d %d\n", mid[16], mid[144]);

    /* in comparisons with each other and in switch */
    char a = 'a', z = '\x80';
    printf("%d %d\n", a < z, (unsigned char)a < (unsigned char)z);
    switch (z) { case 0x80: puts("wrong"); break; case -128: puts("signed"); break; }
    switch ((unsigned char)z) { case 0x80: puts("unsigned"); break; case -128: puts("wrong"); }
    printf("%d\n", strcmp("\x80", "a") > 0);

    /* arithmetic on letters and digits */
    printf("%c %c %d\n", 'a' + 2, 'Q' | 32, '7' - '0');
    char up = 'x'; up &= ~32; up -= 1;
    printf("%c %d\n", up, up == 'W');
    char word[] = "MixEd";
    for (char *p = word; *p; p++) *p = *p >= 'a' && *p <= 'z' ? *p - 32 : *p + 32;
    printf("%s\n", word);
    char bits = 0x55; bits = ~bits; bits >>= 1;
    printf("%d\n", bits);
    int eofish = -1;
    printf("%d %d\n", (char)255 == eofish, (unsigned char)255 == eofish);
    return ret_uchar(257 + 4);
}
