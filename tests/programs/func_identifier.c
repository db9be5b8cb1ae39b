#include <stdio.h>
#include <string.h>

#define WHERE() printf("in %s\n", __func__)
#define NAMED(f) static int f(void) { return (int)strlen(__func__); }
#define TRACE(e) (printf("%s:" #e "\n", __func__), (e))

static void alpha(void) { printf("%s %s\n", __func__, __FUNCTION__); }
static void beta_longer_name(void) { WHERE(); alpha(); WHERE(); }
static const char *gamma_(void) { return __func__; }
static int size(void) { return sizeof __func__; }
NAMED(x)
NAMED(a_bc)
static inline const char *inl(void) { return __FUNCTION__; }
static int recur(int n) { printf("%c", __func__[n]); return __func__[n + 1] ? recur(n + 1) : n; }
static int compare(const char *s) { return strcmp(s, __func__) == 0; }
static void log_from(const char *who, int line_free) { printf("<%s> %d\n", who, line_free); }
static const char *pretty(void) { return __PRETTY_FUNCTION__; }

static int nested_blocks(void)
{
    int n = 0;
    for (const char *p = __func__; *p; p++) {
        if (*p == '_') continue;
        { n += *p == __func__[0]; }
    }
    return n;
}
static int old_style(a) int a; { return a + (int)sizeof(__FUNCTION__); }
static const char *by_statement(void) { return ({ const char *s = __func__; s + 3; }); }
static int shadow(void)
{
    const char *func = "own";
    static const char *kept;
    if (!kept) kept = __func__;
    return strcmp(kept, __func__) == 0 && func[0] == 'o';
}
static int callback(int (*f)(const char *), const char *s) { return f(s) * 10 + compare(__func__); }

int main(void)
{
    printf("%s\n", __func__);
    alpha();
    beta_longer_name();
    printf("%s %zu\n", gamma_(), strlen(gamma_()));
    printf("%d %zu %zu\n", size(), sizeof __func__, sizeof(__FUNCTION__));
    printf("%d %d\n", x(), a_bc());
    printf("%s\n", inl());
    printf(" %d\n", recur(0));
    printf("%d %d\n", compare("compare"), compare("main"));
    log_from(__func__, 1);
    printf("%s\n", pretty());
    printf("%d\n", nested_blocks());
    printf("%d\n", old_style(100));
    printf("%s\n", by_statement());
    printf("%d\n", shadow());
    printf("%d\n", callback(compare, "compare"));
    printf("%d\n", TRACE(1 + 2));
    char buf[32];
    strcpy(buf, __func__);
    buf[0] -= 32;
    strcat(buf, "!");
    printf("%s %c%c\n", buf, __func__[3], *__FUNCTION__);
    const char *p = __func__, *q = __func__;
    printf("%d %d\n", p == q, _Generic(__func__, const char *: 1, default: 0));
    const char *names[] = { __func__, gamma_(), inl() };
    for (int i = 0; i < 3; i++) printf("%s,", names[i]);
    printf("\n");
    return sizeof(__func__);
}
