#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <stddef.h>

static void die(int code) __attribute__((noreturn));
static void die(int code) { printf("leaving %d\n", code); exit(code); }
_Noreturn static void die2(void) { die(12); }

__attribute__((unused)) static int never_used(int x) { return x; }
static int unused_param(int a, int b __attribute__((unused)), __attribute__((__unused__)) int c) { return a; }
static __attribute__((noinline)) int noinl(int x) { return x * 3; }
static inline __attribute__((always_inline)) int always(int x) { return x + 1; }
static int __attribute__((pure)) pure_fn(const int *p) { return p[0] + p[1]; }
__attribute__((const, warn_unused_result)) static int const_fn(int x) { return x * x; }
static void log_msg(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void log_msg(const char *fmt, ...) { puts(fmt); }
static int *nonnull_fn(int *p) __attribute__((nonnull(1), returns_nonnull));
static int *nonnull_fn(int *p) { ++*p; return p; }
__attribute__((cold)) static int cold_fn(void) { return 1; }
__attribute__((hot, flatten)) static int hot_fn(void) { return 2; }
static int old_fn(int) __attribute__((deprecated("use another")));
static int old_fn(int a) { return -a; }
static void *my_alloc(size_t n) __attribute__((malloc, alloc_size(1)));
static void *my_alloc(size_t n) { return malloc(n); }

static int used_var __attribute__((used)) = 4;
static int aligned_var __attribute__((aligned(32))) = 5;
static char __attribute__((aligned(16))) aligned_arr[3], plain_arr[3];
struct __attribute__((aligned(16))) big { char c; };
struct pk { char c; int i; } __attribute__((__packed__));
typedef struct { short s; long l __attribute__((packed)); } part;
typedef int vint __attribute__((aligned(8)));
enum dep { D_OLD __attribute__((deprecated)), D_NEW };
typedef int may __attribute__((may_alias));

static int with_label(int v)
{
    switch (v) {
    case 1: v += 1; __attribute__((fallthrough));
    case 2: v += 10; break;
    }
    goto end;
end: __attribute__((unused));
    return v;
}

int main(void)
{
    int x __attribute__((unused)), y = 2, arr[2] = { 3, 4 };
    printf("%d %d %d\n", unused_param(1, 2, 3), noinl(4), always(5));
    printf("%d %d\n", pure_fn(arr), const_fn(6));
    log_msg("logged");
    printf("%d %d %d %d\n", *nonnull_fn(&y), cold_fn(), hot_fn(), old_fn(8));
    char *m = my_alloc(4);
    m[0] = 'm'; printf("%c\n", m[0]); free(m);
    printf("%d %d\n", used_var, (int)((uintptr_t)&aligned_var % 32));
    printf("%d\n", (int)((uintptr_t)aligned_arr % 16));
    printf("%zu %zu %zu\n", sizeof(struct big), sizeof(struct pk), sizeof(part));
    printf("%zu %zu %d\n", sizeof(vint), _Alignof(vint), D_NEW);
    may *alias = (may *)&y; *alias += 1;
    printf("%d %d\n", y, with_label(1));
    int loc __attribute__((aligned(64))) = 9;
    printf("%d %d\n", loc, (int)((uintptr_t)&loc % 64));
    if (y == 100) die(1);
    die2();
}
