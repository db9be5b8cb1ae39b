#include <stdio.h>
#include <string.h>

static int counter(void) { static int n; return ++n; }
static int counter2(void) { static int n = 100; n += 10; return n; }
static int *slot(int i) { static int a[3] = { 1, 2, 3 }; return &a[i]; }
static const char *number(int v)
{
    static char buf[16];
    static const char *const names[] = { "zero", "one", "two" };
    if (v >= 0 && v < 3) return names[v];
    sprintf(buf, "<%d>", v);
    return buf;
}
static int depth(int n)
{
    static int level, max;
    int r;
    level++;
    if (level > max) max = level;
    r = n ? depth(n - 1) : 0;
    level--;
    return n == 0 ? max : r > max ? r : max;
}
static int blocks(int w)
{
    int r = 0;
    if (w) { static int v = 5; r = v++; }
    else { static int v = 50; r = v--; }
    { static int v; r += 1000 * v++; }
    return r;
}
static int loop(void)
{
    int t = 0;
    for (int i = 0; i < 3; i++) { static int s = 1; s *= 2; t += s; }
    return t;
}
struct st { int a; double d; char s[6]; };
static struct st *shared(void) { static struct st s = { 4, .s = "init" }; s.a++; return &s; }
static int *self(void) { static int v = 9, *p = &v; *p += 1; return p; }
static int lazy(int v)
{
    static int ready, cache;
    if (!ready) { ready = 1; cache = v; }
    return cache;
}
static int recursive_fact(int n) { static int calls = 0; calls++; return n < 2 ? calls : recursive_fact(n - 1); }
static int jumped(int k)
{
    switch (k) {
        static int x = 77;           /* initialised although jumped over */
    case 0: return x++;
    case 1: return x;
    }
    return -1;
}
static inline int inl(void) { static int q = 3; return q *= 2; }
static int (*table[])(void) = { counter, counter2, loop };
static int n = 42;

int main(void)
{
    static int n = 7;                /* hides the file-scope one */
    for (int i = 0; i < 3; i++) {
        int a = counter();
        int b = counter2();
        printf("%d %d\n", a, b);
    }
    *slot(1) += 40;
    ++*slot(1);
    printf("%d %d %d\n", *slot(0), *slot(1), *slot(2));
    printf("%s %s\n", number(2), number(77));
    const char *p = number(1234);
    number(5);
    printf("%s\n", p);
    printf("%d\n", depth(4));
    printf("%d\n", depth(2));
    for (int i = 0; i < 4; i++) printf("%d ", blocks(i % 2));
    printf("\n");
    int l1 = loop(), l2 = loop();
    printf("%d %d\n", l1, l2);
    struct st *s = shared();
    s->d = 1.5; strcat(s->s, "!");
    s = shared();
    printf("%d %.1f %s\n", s->a, s->d, s->s);
    self(); self();
    printf("%d\n", *self());
    int z1 = lazy(5), z2 = lazy(6);
    printf("%d %d\n", z1, z2);
    printf("%d\n", recursive_fact(6));
    int j0 = jumped(0), j1 = jumped(1);
    printf("%d %d\n", j0, j1);
    inl(); inl();
    printf("%d\n", inl());
    for (int i = 0; i < 3; i++) printf("%d ", table[i]());
    { extern int outer_value; printf("%d %d\n", n, outer_value); }
    return n;
}
int outer_value = 33;
