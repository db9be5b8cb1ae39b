#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int sgn(int v) { return (v > 0) - (v < 0); }
static int count(const char *s, int c) { int n = 0; while ((s = strchr(s, c))) { n++; s++; } return n; }

int main(void)
{
    printf("%zu %zu %zu\n", strlen(""), strlen("hello"), strlen("a\0b"));

    char a[16], b[16];
    printf("%d\n", strcpy(a, "copy") == a);
    strcpy(b, a + 2);
    printf("%s %s\n", a, b);
    printf("%s\n", strcat(strcat(a, "-"), b));
    strcat(a, "");
    printf("%zu\n", strlen(a));

    /* strncpy pads with zeros, and may leave no terminator */
    memset(b, '#', sizeof b);
    strncpy(b, "ab", 5);
    printf("%s %d %d %c\n", b, b[3], b[4], b[5]);
    memset(b, '#', sizeof b);
    strncpy(b, "abcdef", 3);
    printf("%c%c%c%c\n", b[0], b[1], b[2], b[3]);
    strncpy(b, "zz", 0);
    printf("%c\n", b[0]);

    /* comparisons: only the sign matters, bytes compare unsigned */
    printf("%d %d %d\n", strcmp("abc", "abc"), sgn(strcmp("abc", "abd")), sgn(strcmp("b", "abc")));
    printf("%d %d\n", sgn(strcmp("ab", "abc")), sgn(strcmp("", "a")));
    printf("%d\n", sgn(strcmp("\xff", "\x01")));
    printf("%d %d %d\n", strncmp("abcX", "abcY", 3), sgn(strncmp("abcX", "abcY", 4)), strncmp("a", "b", 0));
    printf("%d %d\n", strncmp("ab", "ab", 100), sgn(strncmp("ab\0x", "ab\0y", 4)));
    printf("%d %d\n", memcmp("ab\0x", "ab\0x", 4), sgn(memcmp("ab\0x", "ab\0y", 4)));

    /* searching, also for the terminator */
    const char *s = "path/to/file.txt";
    printf("%s %s\n", strchr(s, '/'), strrchr(s, '/'));
    printf("%d %d\n", strchr(s, '#') == NULL, strrchr(s, '#') == NULL);
    printf("%ld %ld\n", (long)(strchr(s, 0) - s), (long)(strrchr(s, '\0') - s));
    printf("%d %d\n", count("mississippi", 's'), count("", 'x'));
    printf("%s\n", strrchr(s, '.') + 1);
    printf("%ld\n", (long)(strchr(s, 'p' + 256) - s));

    char *d = strdup("duplicate");
    d[0] = 'D';
    printf("%s %zu\n", d, strlen(d));
    free(d);
    d = strdup("");
    printf("[%s]\n", d);
    free(d);

    /* sprintf and snprintf */
    char out[32];
    int n = sprintf(out, "%d-%s-%c-%u", -5, "mid", 'z', 7u);
    printf("%s %d\n", out, n);
    n = sprintf(out, "%x %lu %lld", 255, 1ul << 40, -1LL);
    printf("%s %d\n", out, n);
    n = snprintf(out, 5, "truncated %d", 10);
    printf("%s %d\n", out, n);
    n = snprintf(NULL, 0, "%s%s", "ab", "cde");
    printf("%d\n", n);
    n = snprintf(out, 1, "xyz");
    printf("[%s] %d\n", out, n);
    n = sprintf(out, "%5d|%-5d|%05d|%+d", 42, 42, 42, 42);
    printf("%s %d\n", out, n);
    sprintf(out, "%.3s|%5s|%-5s|%%", "abcdef", "ab", "cd");
    printf("%s\n", out);
    sprintf(out, "%.2f %8.3f", 3.14159, 2.5);
    printf("%s\n", out);
    size_t len = 0;
    for (int i = 0; i < 4; i++) len += sprintf(out + len, "%s%d", i ? "," : "", i * i);
    printf("%s\n", out);

    printf("%d %d %d %d\n", atoi("123"), atoi("  -45x"), atoi("+7"), atoi("none"));
    printf("%d %ld\n", abs(-3), labs(-3000000000L));
    char words[] = "split these words", *p = words; int w = 0;
    while (p && *p) { char *e = strchr(p, ' '); if (e) *e++ = 0; printf("<%s>", p); p = e; w++; }
    printf("%d\n", w);
    return w;
}
