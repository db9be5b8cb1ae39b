#include <stdio.h>
#include <string.h>
#include <stddef.h>

#define STR(x) #x
#define XSTR(x) STR(x)
#define VALUE 42

static const char *msg = "one " "two "
    "three";
static char arr[] = "mutable";
static const char embedded[] = "a\0b\0c";
static const wchar_t *wide = L"wide";

static int eq(const char *a, const char *b) { return strcmp(a, b) == 0; }

int main(void)
{
    printf("%s %zu\n", msg, strlen(msg));
    arr[0] = 'M';
    printf("%s %zu %zu\n", arr, sizeof arr, sizeof "");
    printf("%zu %zu\n", sizeof "hello", strlen("hello"));
    printf("%zu %zu %c%c\n", sizeof embedded, strlen(embedded), embedded[2], embedded[4]);

    /* escapes */
    const char *e = "\a\b\f\n\r\t\v\\\'\"\?\0";
    for (int i = 0; i < 12; i++) printf("%d ", e[i]);
    printf("\n");
    const unsigned char *o = (const unsigned char *)"\1\12\123\1234\x41\xff\377\e";
    for (int i = 0; o[i]; i++) printf("%d ", o[i]);
    printf("\n");
    printf("%zu %zu %zu\n", sizeof "\x41" "B", sizeof "\0" "12", sizeof "\012");
    printf("%s\n", "\x41" "BC");
    printf("%d\n", "\xff"[0]);
    printf("%s\n", "tab\there \"quoted\" back\\slash 100%");
    printf("%s\n", "question \?\?! marks");
    printf("%d%% %s\n", 5, "a" "" "b" "");
    printf("%s\n", "line \
continued");

    /* indexing and arithmetic on literals */
    printf("%c %c %c\n", "abc"[1], 2["abc"], *"xyz");
    printf("%s %s\n", "prefix-rest" + 7, &"skip this"[5]);
    for (int i = 0; i < 4; i++) putchar("0123456789abcdef"[i * 5]);
    putchar('\n');

    /* wide and unicode */
    printf("%zu %zu %d %d\n", sizeof L"abc", sizeof(L"x"[0]), L"abc"[1], wide[4]);
    int n = 0;
    while (wide[n]) n++;
    printf("%d %d\n", n, L"\x1234\n"[0]);
    wchar_t wa[] = L"ab" L"c";
    wa[1] = L'Z';
    printf("%zu %d %d\n", sizeof wa / sizeof *wa, wa[1], wa[2]);
    printf("%zu %zu %zu\n", sizeof u8"ab", sizeof u"ab", sizeof U"ab");
    printf("%d %d\n", u"q"[0], U"\U0001F600"[0]);
    const unsigned char *u = (const unsigned char *)"\u00e9";
    printf("%d %d %zu\n", u[0], u[1], sizeof "\u00e9");

    /* stringizing */
    printf("%s %s\n", STR(VALUE), XSTR(VALUE));
    printf("%s\n", STR("a\n" 'b'  +   c));

    /* initialising and comparing contents */
    char same[] = { "text" }, fixed[8] = "text", exact[4] = "text";
    printf("%d %d %zu %c\n", eq(same, fixed), fixed[7], sizeof exact, exact[3]);
    printf("%d %d\n", eq("ab", "a" "b"), eq("ab", "ab\0zz"));
    const char *t[] = { "red", "green" "ish", "blue" };
    size_t total = 0;
    for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) total += strlen(t[i]);
    printf("%zu\n", total);
    printf("%d %d\n", !"", "nonnull" && 1);
    puts(sizeof("12345") == 6 ? "six" : "other");
    return 0;
}
