#include <stdio.h>
#include <string.h>

static _Thread_local int plain;
_Thread_local int init = 40;
static __thread int gnu = 5;
extern __thread long later;
_Thread_local static char buf[8] = "tls";
static _Thread_local struct { int a; double d; int *p; } st = { 1, 2.5 };
static __thread int table[4] = { [2] = 20, 30 };
static _Thread_local int *ptr;
static int ordinary = 3;
static _Thread_local int *to_static = &ordinary;
static _Thread_local const char *name = "worker";
static _Thread_local union { unsigned u; unsigned char b[4]; } un = { 0x01020304 };

static int bump(void)
{
    static _Thread_local int calls;
    static __thread int start = 100;
    calls++;
    start -= calls;
    return start * 10 + calls;
}
static int *addr(void) { return &plain; }
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static int depth(int n)
{
    static _Thread_local int max;
    if (n > max) max = n;
    return n > 5 ? max : depth(n + 1);
}
static int use_extern(void)
{
    extern _Thread_local int init;
    return init++;
}

int main(void)
{
    printf("%d %d %d\n", plain, init, gnu);
    plain = 7; init += 2; gnu *= gnu;
    printf("%d %d %d\n", plain, init, gnu);
    printf("%ld\n", later);
    later <<= 20;
    printf("%ld\n", later);
    buf[0] = 'T'; strcat(buf, "+");
    printf("%s %zu\n", buf, sizeof buf);
    st.p = &st.a; *st.p += 9; st.d /= 2;
    printf("%d %.2f\n", st.a, st.d);
    printf("%d %d %d %d\n", table[0], table[1], table[2], table[3]);
    for (int *p = table; p < table + 4; p++) *p += 1;
    printf("%d %d\n", table[0], table[3]);
    printf("%d\n", ptr == 0);
    ptr = addr();
    ++*ptr;
    printf("%d %d %d\n", plain, ptr == &plain, addr() == ptr);
    swap(&plain, &gnu);
    printf("%d %d\n", plain, gnu);
    *to_static = 30;
    printf("%d %s\n", ordinary, name);
    name += 2;
    printf("%s\n", name);
    un.b[3]++;
    printf("%x\n", un.u);
    int a = bump(), b = bump(), c = bump();
    printf("%d %d %d\n", a, b, c);
    printf("%d\n", depth(1));
    int e = use_extern();
    printf("%d %d\n", e, init);
    {
        static _Thread_local short s = -1;
        s++;
        s--;
        int plain = 1000;              /* hides the thread's one */
        printf("%d %d\n", s, plain + *addr());
    }
    for (int i = 0; i < 3; i++) {
        static __thread int kept;
        kept += i + 1;
        printf("%d ", kept);
    }
    printf("\n");
    return plain - 20;
}
__thread long later = 3;
