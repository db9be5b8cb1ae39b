#include <stdio.h>
#include <stddef.h>
#include <string.h>

#define IS(c, n) ((c) == (n))
#if 'A' == 65 && '\0' == 0 && '\x7f' == 127 && '\\' == 92 && '\377' < 0
#define PP 1
#else
#define PP 0
#endif

static const char table[] = { 'a', '\n', '\'', '"', '\\', '\0', '\x41', '\101', '\7', '?' };
static const struct { char c; const char *name; } esc[] = {
    { '\a', "alert" }, { '\b', "backspace" }, { '\f', "form feed" }, { '\n', "new line" }, { '\r', "return" },
    { '\t', "tab" }, { '\v', "vertical" }, { '\\', "backslash" }, { '\'', "quote" }, { '\"', "double" }, { '\?', "question" },
    { '\e', "escape" }, { '\0', "null" },
};
static int value(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

int main(void)
{
    for (unsigned i = 0; i < sizeof esc / sizeof *esc; i++) printf("%s=%d ", esc[i].name, esc[i].c);
    printf("\n");
    for (unsigned i = 0; i < sizeof table; i++) printf("%d ", table[i]);
    printf("\n");

    /* type and sign */
    printf("%zu %d\n", sizeof 'a', _Generic('a', int: 1, char: 2, default: 3));
    printf("%d %d %d\n", '\xff', '\377', '\x80');
    printf("%d %d\n", IS('\xff', -1), IS((unsigned char)'\xff', 255));
    printf("%d %d\n", '\x7f', '\177');

    /* octal takes at most three digits, hexadecimal as many as there are */
    printf("%d %d %d %d\n", '\1', '\12', '\123', '\0');
    printf("%d %d %d\n", '\x1', '\x01', '\x0a');
    printf("%zu %zu\n", sizeof "\1234", sizeof "\x41z");

    /* quotes of the other sort need no escape */
    printf("%d %d %d\n", '"', '\"', "'"[0]);
    printf("%d %d\n", IS('"', '\"'), IS("\'"[0], '\''));
    printf("%c%c%c%c\n", '%', '#', '/', '*');

    /* wide and unicode ones */
    printf("%zu %zu %zu\n", sizeof L'a', sizeof u'a', sizeof U'a');
    printf("%d %d %d\n", L'a', L'\xff', L'\x1234');
    printf("%d %d %d\n", u'\xffff', U'\u20ac' == 0x20ac, L'\377');
    printf("%d %d\n", L'\0', L'\n');
    printf("%d\n", _Generic(L'a', int: 1, default: 2));

    /* arithmetic and comparisons */
    printf("%c %c %c\n", 'a' + 1, 'Z' - 1, '0' + 7);
    printf("%d %d %d\n", 'z' - 'a', 'a' - 'A', '9' - '0');
    printf("%d %d\n", 'a' < 'b', 'A' > 'a');
    printf("%c %c\n", 'a' ^ ' ', 'A' | ' ');
    printf("%d %d %d\n", -'a', ~'\0', !'\0');
    printf("%d\n", 'a' * 'b' - 'a' / 'b');

    /* in cases, enums, sizes, indexes, initialisers */
    for (const char *p = "x\n\\'"; *p; p++)
        switch (*p) {
        case '\n': printf("NL "); break;
        case '\\': printf("BS "); break;
        case '\'': printf("SQ "); break;
        case 'a' ... 'z': printf("%c ", *p); break;
        }
    printf("\n");
    enum { SP = ' ', NXT, COLON = ':' };
    printf("%d %d %d\n", SP, NXT, COLON);
    char sized['\n'], letters['z' + 1] = { ['q'] = 'Q' };
    printf("%zu %c\n", sizeof sized, letters['q']);
    int n = 0;
    for (char c = 'a'; c <= 'z'; c++) n += c == 'e' || c == 'o';
    printf("%d\n", n);
    printf("%d %d %d %d\n", value('7'), value('c'), value('F'), value('g'));
    char buf[4] = { 'a', 'b', '\0', 'c' };
    printf("%s %zu\n", buf, strlen(buf));
    char c = 'x'; c += '\1'; c -= ' ';
    putchar(c); putchar('\n'); putchar('\x41'); putchar(10);
    printf("%d %d\n", PP, "\""[0] == '"');
    return '!';
}
