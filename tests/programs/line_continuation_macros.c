#include <stdio.h>
#include <string.h>

#define SWAP(type, a, b) \
    do {                 \
        type tmp_ = (a); \
        (a) = (b);       \
        (b) = tmp_;      \
    } while (0)
#define LONG_SUM(a, b, c) ((a) + \
    (b) /* a comment
           over lines */ + \
    (c))
#define EMPTY
#define CAT(a, b) a##b
#define XCAT(a, b) CAT(a, b)
#define STR(x) #x
#define XSTR(x) STR(x)
#define VERSION 3
#define LIST \
    ITEM(red, 1) \
    ITEM(green, 2) \
    ITEM(blue, 4)
#define ITEM(n, v) COLOR_##n = v,
enum color { LIST };
#undef ITEM
#define ITEM(n, v) #n,
static const char *color_names[] = { LIST };
#undef ITEM
#define ITEM(n, v) + v
static int color_sum = 0 LIST;
#undef ITEM
#define FUNC(name, op) static int name(int a, int b) \
{ \
    return a op b; \
}
FUNC(add_, +)
FUNC(shl_, <<)
#define LOG(fmt, ...) printf("[" fmt "]\n", ##__VA_ARGS__)
#define COUNT(...) (int)(sizeof((int[]){ __VA_ARGS__ }) / sizeof(int))
#define GNUARGS(args...) printf(args)
#define MUL(a, b) a * b
#define PAREN(a) (a)
#define self self + 1
#define f(x) x ? g
#define OBJ (x)
#define NOARGS() 12
#define IF_BIG(n, a, b) IF_##n(a, b)
#define IF_0(a, b) b
#define IF_1(a, b) a
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#if VERSION >= 3 && \
    defined(EMPTY) && !defined(MISSING)
#define CHOSEN "new"
#else
#define CHOSEN "old"
#endif
#ifdef MISSING
#error not here
#elif (VERSION * 2 == 6) ? 1 : 0
#define SECOND 2
#endif

int main(void)
{
    int x = 1, y = 2; char *s1 = "s1", *s2 = "s2";
    SWAP(int, x, y);
    if (x == 2) SWAP(char *, s1, s2); else puts("no");
    printf("%d %d %s %s\n", x, y, s1, s2);
    printf("%d\n", LONG_SUM(1, 2, 3));
    int XCAT(var, VERSION) = 30, CAT(var, VERSION) = 40;
    printf("%d %d\n", var3, varVERSION);
    printf("%s %s\n", STR(VERSION), XSTR(VERSION));
    printf("%s|%s|%s\n", STR( a  +  "b\n" ), STR('"'), STR());
    for (unsigned i = 0; i < ARRAY_SIZE(color_names); i++) printf("%s ", color_names[i]);
    printf("%d %d\n", COLOR_blue, color_sum);
    printf("%d %d\n", add_(3, 4), shl_(3, 4));
    LOG("plain");
    LOG("%d %s", 5, "args");
    GNUARGS("%d\n", COUNT(1, 2, 3, (4, 5)));
    printf("%d %d\n", MUL(1 + 2, 3 + 4), MUL(PAREN(1 + 2), PAREN(3 + 4)));
    #undef self
    int self_ = 5;
#define self_ self_ + 1
    printf("%d\n", self_);
    printf("%d %d\n", PAREN(OBJ), NOARGS());
    printf("%s %s %d\n", IF_BIG(1, "a", "b"), IF_BIG(0, "a", "b"), SECOND);
    int f = 3;                         /* not followed by a parenthesis: no macro call */
    printf("%d %s\n", f, CHOSEN);
    pri\
ntf("%s\n", "split \
string" " and" /* comment */ " joined");
    // a line comment that goes on \
    printf("hidden\n");
    int lo\
ng_name = 1\
23;
    printf("%d %d\n", long_name, __LINE__ > 80);
    printf("%d%s\n", EMPTY 7 EMPTY, EMPTY "" EMPTY);
#line 500 "renamed.c"
    printf("%d %s\n", __LINE__, __FILE__);
    return x ?: 9;
}
