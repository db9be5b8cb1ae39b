#include <stdio.h>

static inline int sq(int x) { return x * x; }
inline static int cube(int x) { return x * sq(x); }
static inline __attribute__((always_inline)) int add3(int a, int b, int c) { return a + b + c; }
static __inline__ int neg(int x) { return -x; }

/* an inline definition made external by a declaration in this file */
inline int twice(int x) { return x * 2; }
extern int twice(int x);
extern inline int thrice(int x);
inline int thrice(int x) { return x * 3; }
int half(int x);
inline int half(int x) { return x / 2; }

/* declared inline, defined later */
static inline int later(int);
static inline int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
static inline int even(unsigned n);
static inline int odd(unsigned n) { return n ? even(n - 1) : 0; }
static inline int even(unsigned n) { return n ? odd(n - 1) : 1; }

static inline int counter(void) { static int n = 10; return n++; }
static inline void bump(int *p) { ++*p; }
static inline int early(int x) { if (x < 0) return -1; for (int i = 0; ; i++) if (i * i >= x) return i; }
static inline int modify_param(int x) { x += 5; x *= 2; return x; }
struct v { int a, b; };
static inline struct v swapped(struct v v) { int t = v.a; v.a = v.b; v.b = t; return v; }
static inline struct v *self(struct v *p) { p->a++; return p; }
static inline const char *name(int k) { return k ? "yes" : "no"; }
static inline double avg(int a, int b) { return (a + b) / 2.0; }
static inline unsigned char trunc8(int x) { return x; }
static inline _Bool truth(double d) { return d; }

static int apply(int (*f)(int), int v) { return f(v); }
static int x = 100;
static inline int uses_global(void) { return x; }

int main(void)
{
    printf("%d %d %d %d\n", sq(5), cube(3), add3(1, 2, 3), neg(4));
    printf("%d %d %d\n", twice(21), thrice(5), half(9));
    printf("%d %d\n", later(7), fact(6));
    printf("%d %d\n", even(10), odd(10));
    int c1 = counter(), c2 = counter(), c3 = counter();
    printf("%d %d %d\n", c1, c2, c3);

    /* arguments are evaluated once, unlike a macro's */
    int i = 3;
    int r = sq(i++);
    printf("%d %d\n", r, i);
    bump(&i); bump(&i);
    printf("%d\n", i);
    r = modify_param(i);
    printf("%d %d\n", r, i);
    printf("%d %d %d\n", early(-4), early(17), early(0));

    struct v v = { 1, 2 }, w = swapped(v);
    printf("%d %d %d %d\n", v.a, v.b, w.a, w.b);
    printf("%d\n", self(self(&v))->a);
    printf("%d\n", swapped(swapped(w)).a);
    printf("%s %s %.1f\n", name(1), name(0), avg(3, 4));
    printf("%d %d %d\n", trunc8(300), truth(0.5), truth(0));

    /* an inner name must not be captured */
    int x = 7;
    printf("%d %d\n", uses_global(), sq(x));
    printf("%d %d %d\n", apply(sq, 6), apply(twice, 6), apply(cube, 2));
    int (*fp[])(int) = { sq, cube, neg, thrice, later };
    for (unsigned k = 0; k < sizeof fp / sizeof *fp; k++) printf("%d ", fp[k](2));
    printf("\n");
    int n = 0;
    for (int k = 0; k < sq(3); k++) n += sq(k) > 20 ? neg(1) : 1;
    printf("%d\n", n);
    printf("%d\n", sq(sq(2)) + sq(1 + 1));
    return half(half(9)) + 1;
}

static inline int later(int v) { return v + 1000; }
