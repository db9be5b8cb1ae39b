#include <stdio.h>
#include <stdarg.h>
#include <string.h>

struct p { int x, y; };
struct big { long v[5]; };

static int sum(int n, ...)
{
    va_list ap;
    int s = 0;
    va_start(ap, n);
    while (n--) s += va_arg(ap, int);
    va_end(ap);
    return s;
}
static double mixed(const char *fmt, ...)
{
    va_list ap;
    double t = 0;
    va_start(ap, fmt);
    for (; *fmt; fmt++)
        switch (*fmt) {
        case 'i': t += va_arg(ap, int); break;
        case 'u': t += va_arg(ap, unsigned); break;
        case 'l': t += va_arg(ap, long); break;
        case 'L': t += va_arg(ap, unsigned long long); break;
        case 'd': t += va_arg(ap, double); break;
        case 's': t += strlen(va_arg(ap, const char *)); break;
        case 'p': t += *va_arg(ap, int *); break;
        case 'c': t += (char)va_arg(ap, int); break;
        case 'S': { struct p s = va_arg(ap, struct p); t += s.x * s.y; break; }
        case 'B': t += va_arg(ap, struct big).v[4]; break;
        case 'f': { int (*f)(int, ...) = va_arg(ap, int (*)(int, ...)); t += f(2, 30, 12); break; }
        }
    va_end(ap);
    return t;
}
static int vsum(int n, va_list ap) { int s = 0; while (n--) s += va_arg(ap, int); return s; }
static int pass_on(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    int s = vsum(n, ap);
    va_end(ap);
    return s;
}
static int take(va_list *ap) { return va_arg(*ap, int); }
static int by_pointer(int n, ...)
{
    va_list ap;
    int r = 0;
    va_start(ap, n);
    for (int i = 0; i < n; i++) r = r * 10 + take(&ap);   /* advances the caller's list */
    r = r * 10 + va_arg(ap, int);
    va_end(ap);
    return r;
}
static int twice(int n, ...)
{
    va_list a, b;
    int x, y, m = 0;
    va_start(a, n);
    x = va_arg(a, int);
    va_copy(b, a);                         /* copy from the current place */
    x += vsum(n - 1, a);
    for (int i = 1; i < n; i++) { int v = va_arg(b, int); if (v > m) m = v; }
    va_end(b);
    va_end(a);
    va_start(a, n);                        /* may be started again */
    y = va_arg(a, int);
    va_end(a);
    return x * 10000 + m * 100 + y;
}
static int format(char *out, const char *f, ...)
{
    va_list ap;
    char *o = out;
    va_start(ap, f);
    for (; *f; f++) {
        if (*f != '%') { *o++ = *f; continue; }
        switch (*++f) {
        case 'd': o += sprintf(o, "%d", va_arg(ap, int)); break;
        case 's': { char *s = va_arg(ap, char *); while (*s) *o++ = *s++; break; }
        case 'c': *o++ = va_arg(ap, int); break;
        default: *o++ = *f;
        }
    }
    *o = 0;
    va_end(ap);
    return o - out;
}
static const char *last(const char *first, ...)
{
    va_list ap;
    const char *r = first, *s;
    va_start(ap, first);
    while ((s = va_arg(ap, const char *))) r = s;
    va_end(ap);
    return r;
}

int main(void)
{
    printf("%d %d %d\n", sum(0), sum(1, 5), sum(12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    char c = 'A'; short h = -2; float f = 0.5f; unsigned char uc = 255; int k = 1000; _Bool b = 1;
    printf("%.2f\n", mixed("iiiid", c, h, uc, b, f));
    printf("%.2f\n", mixed("dlsupLc", 1.25, 1L << 33, "four", 4000000000u, &k, 1ULL << 40, 'B'));
    printf("%.2f\n", mixed("ddddddddddii", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11, 12));
    struct big bg = { { 1, 2, 3, 4, 50 } };
    printf("%.2f\n", mixed("SBif", (struct p){ 3, 4 }, bg, 1, sum));
    printf("%d %d\n", pass_on(3, 7, 8, 9), by_pointer(3, 1, 2, 3, 4));
    printf("%d\n", twice(4, 1, 5, 9, 2));
    char out[64];
    int n = format(out, "%s=%d%c %%", "key", -12, '!');
    printf("%s %d\n", out, n);
    printf("%s %s\n", last("a", "b", "zz", (char *)0), last("only", (char *)0));
    int (*fp)(int, ...) = sum;
    printf("%d\n", fp(3, 1, (char)2, (short)3));
    return sum(2, 4, 4);
}
