#include <stdio.h>

#define barrier() __asm__ __volatile__("" : : : "memory")
#define relax() asm volatile("" ::: "memory")
#define COMPILER_FENCE() do { asm volatile("" : : : "memory"); } while (0)

static int shared, ready;
static int table[4];

static inline void publish(int v)
{
    shared = v;
    barrier();
    ready = 1;
}
static int consume(void)
{
    if (!ready) return -1;
    relax();
    int v = shared;
    ready = 0;
    return v;
}
static int spin(int n)
{
    int t = 0;
    while (n-- > 0) {
        t += n;
        relax();
    }
    return t;
}
static int in_branches(int v)
{
    if (v > 0)
        barrier();
    else
        asm volatile("");
    for (int i = 0; i < 3; i++)
        asm("");
    switch (v) {
    case 1: COMPILER_FENCE(); return 10;
    case 2: barrier(); break;
    default: __asm__("");
    }
    return v;
}
static int swap_through(int *a, int *b)
{
    int t = *a;
    barrier();
    *a = *b;
    barrier();
    *b = t;
    barrier();
    return *a - *b;
}
static int with_label(int n)
{
again:
    asm volatile("" ::: "memory");
    if (--n > 0) goto again;
    return n;
}
static void only_asm(void) { __asm volatile(""); }

int main(void)
{
    printf("%d\n", consume());
    publish(42);
    printf("%d ", ready);
    printf("%d\n", consume());
    printf("%d\n", consume());
    printf("%d\n", spin(10));
    printf("%d %d %d %d\n", in_branches(0), in_branches(1), in_branches(2), in_branches(-3));
    int x = 3, y = 8;
    int d = swap_through(&x, &y);
    printf("%d %d %d\n", x, y, d);
    printf("%d\n", with_label(5));
    only_asm();
    for (int i = 0; i < 4; i++) {
        table[i] = i * i;
        asm volatile ("" : : : "memory");
        table[i] += 1;
    }
    printf("%d %d %d %d\n", table[0], table[1], table[2], table[3]);
    int v = ({ int t = 5; barrier(); t * 2; });
    printf("%d\n", v);
    do { barrier(); } while (0);
    { asm volatile("" ::: "memory", "cc"); }
    if (v) { relax(); relax(); }
    asm volatile("" "" ::: "memory");
    puts("done");
    return 0;
}
