/* Functions that take strings apart, search and copy them. */
#define _GNU_SOURCE
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#undef basename
char *basename(const char *);

static int sgn(int v) { return (v > 0) - (v < 0); }
static const char *or_none(const char *s) { return s ? s : "(none)"; }

static void tokens(const char *text, const char *delimiters) {
    char copy[40], *rest, *token;
    strcpy(copy, text);
    for (token = strtok_r(copy, delimiters, &rest); token; token = strtok_r(NULL, delimiters, &rest))
        printf("[%s]", token);
    strcpy(copy, text);
    for (token = strtok(copy, delimiters); token; token = strtok(NULL, delimiters)) printf("{%s}", token);
    strcpy(copy, text);
    rest = copy;
    while ((token = strsep(&rest, delimiters))) printf("<%s>", token);
    puts("");
}

static void path(const char *text) {
    char first[40], second[40];
    strcpy(first, text);
    strcpy(second, text);
    printf("%s | %s | %s\n", basename(text), __xpg_basename(first), dirname(second));
}

int main(void) {
    tokens("a,b;;c", ",;");
    tokens(",;a", ",;");
    tokens("", ",");
    tokens("plain", ",");
    tokens("a,", ",");

    path("a");
    path("a/b");
    path("/a");
    path("/");
    path("/a//b//");
    path("a/");
    path("");
    path("usr/lib/x.c");

    printf("%zu %zu %zu\n", strspn("aabbc", "ab"), strspn("x", ""), strspn("", "a"));
    printf("%zu %zu %zu\n", strcspn("aabbc", "cb"), strcspn("abc", ""), strcspn("", "a"));
    printf("%s %s\n", or_none(strpbrk("hello", "ol")), or_none(strpbrk("hello", "xyz")));
    printf("%s [%s]\n", strchrnul("hello", 'l'), strchrnul("hello", 'z'));
    printf("%s %s\n", index("hello", 'l'), rindex("hello", 'l'));
    printf("%s %s\n", or_none(memrchr("hello", 'l', 6)), or_none(memrchr("hello", 'o', 3)));
    printf("%s\n", (char *)rawmemchr("hello", 'e'));
    printf("%s %s %s\n", or_none(memmem("hello", 6, "ll", 2)), or_none(memmem("hello", 5, "lo!", 3)),
        or_none(memmem("hello", 5, "", 0)));
    printf("%s %s %s\n", or_none(strcasestr("Hello", "LL")), or_none(strcasestr("Hello", "x")),
        or_none(strcasestr("Hello", "")));
    printf("%d %d %d\n", strcasecmp("HeLLo", "hEllO"), sgn(strcasecmp("a", "B")), sgn(strcasecmp("ab", "A")));
    printf("%d %d %d\n", strncasecmp("abX", "ABy", 2), sgn(strncasecmp("abX", "ABy", 3)), strncasecmp("a", "b", 0));
    printf("%d %d\n", strcoll("a", "a"), sgn(strcoll("a", "b")));
    printf("%d %d\n", bcmp("ab", "ab", 2), bcmp("ab", "ac", 2) != 0);

    char to[16];
    memset(to, '#', sizeof to);
    printf("%d", (int)(stpcpy(to, "abc") - to));
    printf(" %s\n", to);
    memset(to, '#', sizeof to);
    printf("%d", (int)(stpncpy(to, "abc", 5) - to));
    printf(" %s %d %c\n", to, to[4], to[5]);
    printf("%d", (int)(stpncpy(to, "xyz", 2) - to));
    printf(" %c\n", to[2]);
    memset(to, '#', sizeof to);
    printf("%d", (int)((char *)memccpy(to, "abcd", 'b', 4) - to));
    printf(" %c %c\n", to[1], to[2]);
    printf("%d\n", memccpy(to, "abcd", 'z', 4) == NULL);
    printf("%d", (int)((char *)mempcpy(to, "mno", 3) - to));
    printf(" %c\n", to[2]);
    bcopy("12345", to, 6);
    bcopy(to, to + 1, 6);
    printf("%s\n", to);
    explicit_bzero(to, 3);
    printf("%d %c\n", to[2], to[3]);
    memset(to, 0, sizeof to);
    swab("abcd", to, 5);
    printf("%s %zu\n", to, strxfrm(to + 8, "xyz", 4));
    return 0;
}
