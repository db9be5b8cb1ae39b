/* What the functions of the C library mean that programs call without defining them. */

typedef __typeof__(sizeof 0) ut_size;

static _Thread_local int ut_errno;
int *__errno_location(void) { return &ut_errno; }

/* ---- strings ---- */

ut_size strlen(char *s) {
    ut_size n = 0;
    while (s[n]) n++;
    return n;
}
ut_size strnlen(char *s, ut_size max) {
    ut_size n = 0;
    while (n < max && s[n]) n++;
    return n;
}
char *strcpy(char *to, char *from) {
    ut_size i = 0;
    do to[i] = from[i]; while (from[i++]);
    return to;
}
char *strncpy(char *to, char *from, ut_size n) {
    ut_size i = 0;
    for (; i < n && from[i]; i++) to[i] = from[i];
    for (; i < n; i++) to[i] = 0;
    return to;
}
char *strcat(char *to, char *from) {
    strcpy(to + strlen(to), from);
    return to;
}
char *strncat(char *to, char *from, ut_size n) {
    char *end = to + strlen(to);
    ut_size i = 0;
    for (; i < n && from[i]; i++) end[i] = from[i];
    end[i] = 0;
    return to;
}
int strcmp(char *a, char *b) {
    ut_size i = 0;
    while (a[i] && a[i] == b[i]) i++;
    return (int)(unsigned char)a[i] - (int)(unsigned char)b[i];
}
int strncmp(char *a, char *b, ut_size n) {
    for (ut_size i = 0; i < n; i++) {
        if (a[i] != b[i]) return (int)(unsigned char)a[i] - (int)(unsigned char)b[i];
        if (!a[i]) return 0;
    }
    return 0;
}
char *strchr(char *s, int c) {
    for (;; s++) {
        if (*s == (char)c) return s;
        if (!*s) return 0;
    }
}
char *strrchr(char *s, int c) {
    char *found = 0;
    for (;; s++) {
        if (*s == (char)c) found = s;
        if (!*s) return found;
    }
}
char *strstr(char *s, char *wanted) {
    ut_size n = strlen(wanted);
    for (;; s++) {
        if (strncmp(s, wanted, n) == 0) return s;
        if (!*s) return 0;
    }
}
void *malloc(ut_size size);
char *strdup(char *s) { return strcpy(malloc(strlen(s) + 1), s); }
char *strndup(char *s, ut_size max) {
    ut_size n = strnlen(s, max);
    char *copy = malloc(n + 1);
    for (ut_size i = 0; i < n; i++) copy[i] = s[i];
    copy[n] = 0;
    return copy;
}
void bzero(void *memory, ut_size n) {
    unsigned char *p = memory;
    for (ut_size i = 0; i < n; i++) p[i] = 0;
}
void *memchr(void *memory, int c, ut_size n) {
    unsigned char *p = memory;
    for (ut_size i = 0; i < n; i++)
        if (p[i] == (unsigned char)c) return p + i;
    return 0;
}

/* ---- numbers ---- */

int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }
double fabs(double x) { return x < 0 ? -x : x; }
float fabsf(float x) { return x < 0 ? -x : x; }

static long long ut_number(char *s, char **end) {
    long long value = 0;
    char *p = s;
    int negative = 0;
    while (*p == ' ' || (*p >= '\t' && *p <= '\r')) p++;
    if (*p == '-' || *p == '+') negative = *p++ == '-';
    if (*p < '0' || *p > '9') {
        if (end) *end = s;
        return 0;
    }
    while (*p >= '0' && *p <= '9') value = value * 10 + (*p++ - '0');
    if (end) *end = p;
    return negative ? -value : value;
}
static int ut_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
    return 99;
}
/* Digits of a base, with their sign; `limit` is the largest magnitude. `*beyond`: the number is larger. */
static unsigned long long ut_digits(
    char *s, char **end, int base, unsigned long long limit, int *negative, int *beyond) {
    unsigned long long value = 0;
    char *p = s;
    int any = 0;
    *negative = 0;
    *beyond = 0;
    if (base < 0 || base == 1 || base > 36) {
        *__errno_location() = 22;
        return 0;
    }
    while (*p == ' ' || (*p >= '\t' && *p <= '\r')) p++;
    if (*p == '-' || *p == '+') *negative = *p++ == '-';
    if ((base == 0 || base == 16) && *p == '0' && (p[1] == 'x' || p[1] == 'X') && ut_digit(p[2]) < 16) {
        p += 2;
        base = 16;
    }
    if (base == 0) base = *p == '0' ? 8 : 10;
    while (ut_digit(*p) < base) {
        int digit = ut_digit(*p++);
        any = 1;
        if (value > (limit - digit) / base) *beyond = 1;
        else value = value * base + digit;
    }
    if (end) *end = any ? p : s;
    if (*beyond) *__errno_location() = 34;
    return value;
}
static long long ut_signed(char *s, char **end, int base, unsigned long long max) {
    int negative, beyond;
    unsigned long long value = ut_digits(s, end, base, max + 1, &negative, &beyond);
    if (!negative && value > max) {
        *__errno_location() = 34;
        beyond = 1;
    }
    if (beyond) return negative ? (long long)(-max - 1) : (long long)max;
    return (long long)(negative ? -value : value);
}
static unsigned long long ut_unsigned(char *s, char **end, int base, unsigned long long max) {
    int negative, beyond;
    unsigned long long value = ut_digits(s, end, base, max, &negative, &beyond);
    if (beyond) return max;
    return negative ? -value : value;
}
long strtol(char *s, char **end, int base) { return (long)ut_signed(s, end, base, ~0UL >> 1); }
long long strtoll(char *s, char **end, int base) { return ut_signed(s, end, base, ~0ULL >> 1); }
unsigned long strtoul(char *s, char **end, int base) { return (unsigned long)ut_unsigned(s, end, base, ~0UL); }
unsigned long long strtoull(char *s, char **end, int base) { return ut_unsigned(s, end, base, ~0ULL); }
int atoi(char *s) { return (int)ut_number(s, 0); }
long atol(char *s) { return (long)ut_number(s, 0); }
long long atoll(char *s) { return ut_number(s, 0); }

unsigned __VERIFIER_nondet_uint(void);
int rand(void) { return (int)(__VERIFIER_nondet_uint() & 0x7fffffff); }
int rand_r(unsigned *seed) { *seed = __VERIFIER_nondet_uint(); return rand(); }
long random(void) { return rand(); }

/* ---- sorting ---- */

static void ut_swap(char *a, char *b, ut_size size) {
    for (ut_size i = 0; i < size; i++) {
        char t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
}
void qsort(void *base, ut_size count, ut_size size, int (*compare)(void *, void *)) {
    char *p = base;
    for (ut_size i = 1; i < count; i++)
        for (ut_size j = i; j > 0 && compare(p + (j - 1) * size, p + j * size) > 0; j--)
            ut_swap(p + (j - 1) * size, p + j * size, size);
}
void *bsearch(void *key, void *base, ut_size count, ut_size size, int (*compare)(void *, void *)) {
    ut_size low = 0;
    while (low < count) {
        ut_size middle = low + (count - low) / 2;
        char *element = (char *)base + middle * size;
        int order = compare(key, element);
        if (order == 0) return element;
        if (order < 0) count = middle;
        else low = middle + 1;
    }
    return 0;
}

/* ---- memory ---- */

void *aligned_alloc(ut_size alignment, ut_size size) { return malloc(size); }
void *memalign(ut_size alignment, ut_size size) { return malloc(size); }
void *valloc(ut_size size) { return malloc(size); }
int posix_memalign(void **result, ut_size alignment, ut_size size) {
    *result = malloc(size);
    return 0;
}

/* ---- the process ---- */

enum { UT_HANDLERS = 32 };
static void (*ut_exit_handler[UT_HANDLERS])(void);
static int ut_exit_handlers;
int atexit(void (*handler)(void)) {
    __VERIFIER_atomic_begin();
    if (ut_exit_handlers == UT_HANDLERS) __unthread_limit("more than 32 exit handlers");
    ut_exit_handler[ut_exit_handlers] = handler;
    ut_exit_handlers = ut_exit_handlers + 1;
    __VERIFIER_atomic_end();
    return 0;
}
void ut_run_exit_handlers(void) {
    while (ut_exit_handlers > 0) {
        ut_exit_handlers = ut_exit_handlers - 1;
        ut_exit_handler[ut_exit_handlers]();
    }
}
void exit(int status) {
    ut_run_exit_handlers();
    __unthread_exit(status);
}

/* Time passes as it likes. */
unsigned sleep(unsigned seconds) { return 0; }
int usleep(unsigned microseconds) { return 0; }
int nanosleep(void *wanted, void *rest) { return 0; }
int clock_nanosleep(int clock, int flags, void *wanted, void *rest) { return 0; }
long __VERIFIER_nondet_long(void);
long time(long *result) {
    long now = __VERIFIER_nondet_long();
    if (result) *result = now;
    return now;
}
struct ut_time { long seconds; long fraction; };
static long ut_last_clock;
/* The time that the process has used does not become less; -1: it is not known. */
long clock(void) {
    long now = __VERIFIER_nondet_long();
    if (now == -1) return -1;
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(now >= ut_last_clock);
    ut_last_clock = now;
    __VERIFIER_atomic_end();
    return now;
}
/* The clock of the day can be set at any time; all others never go back. */
enum { UT_CLOCKS = 12 };
static struct ut_time ut_last_time[UT_CLOCKS];
int clock_gettime(int clock, struct ut_time *t) {
    struct ut_time now;
    now.seconds = __VERIFIER_nondet_long();
    now.fraction = (long)(__VERIFIER_nondet_uint() % 1000000000);
    if (clock > 0 && clock < UT_CLOCKS && clock != 5 && clock != 8) {
        struct ut_time *last = ut_last_time + clock;
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(
            now.seconds > last->seconds || (now.seconds == last->seconds && now.fraction >= last->fraction));
        last->seconds = now.seconds;
        last->fraction = now.fraction;
        __VERIFIER_atomic_end();
    }
    t->seconds = now.seconds;
    t->fraction = now.fraction;
    return 0;
}
int gettimeofday(struct ut_time *t, void *zone) {
    t->seconds = __VERIFIER_nondet_long();
    t->fraction = (long)(__VERIFIER_nondet_uint() % 1000000);
    return 0;
}
int timespec_get(struct ut_time *t, int base) {
    clock_gettime(0, t);
    return base;
}

/* ---- characters, in the "C" locale ---- */

static unsigned short ut_classes[384] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 8195, 8194, 8194, 8194, 8194, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    24577, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156,
    55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 49156, 49156, 49156, 49156, 49156, 49156,
    49156, 54536, 54536, 54536, 54536, 54536, 54536, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440,
    50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 49156, 49156, 49156, 49156, 49156,
    49156, 54792, 54792, 54792, 54792, 54792, 54792, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696,
    50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 49156, 49156, 49156, 49156, 2,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};
static unsigned short *ut_class_table = ut_classes + 128;
unsigned short **__ctype_b_loc(void) { return &ut_class_table; }
int isdigit(int c) { return c >= '0' && c <= '9'; }
int isalpha(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
int isalnum(int c) { return isalpha(c) || isdigit(c); }
int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int isupper(int c) { return c >= 'A' && c <= 'Z'; }
int islower(int c) { return c >= 'a' && c <= 'z'; }
int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; }
int tolower(int c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }

/* ---- compiler built-ins ---- */

unsigned short __builtin_bswap16(unsigned short x) { return (unsigned short)((x << 8) | (x >> 8)); }
unsigned __builtin_bswap32(unsigned x) {
    return (x << 24) | ((x & 0xff00) << 8) | ((x >> 8) & 0xff00) | (x >> 24);
}
unsigned long long __builtin_bswap64(unsigned long long x) {
    return ((unsigned long long)__builtin_bswap32((unsigned)x) << 32) | __builtin_bswap32((unsigned)(x >> 32));
}
int __builtin_popcountll(unsigned long long x) {
    int n = 0;
    for (; x; x &= x - 1) n++;
    return n;
}
int __builtin_popcount(unsigned x) { return __builtin_popcountll(x); }
int __builtin_popcountl(unsigned long x) { return __builtin_popcountll(x); }
int __builtin_parity(unsigned x) { return __builtin_popcountll(x) & 1; }
int __builtin_parityl(unsigned long x) { return __builtin_popcountll(x) & 1; }
int __builtin_parityll(unsigned long long x) { return __builtin_popcountll(x) & 1; }
int __builtin_ctzll(unsigned long long x) {
    int n = 0;
    for (; !(x & 1); x >>= 1) n++;
    return n;
}
int __builtin_ctz(unsigned x) { return __builtin_ctzll(x); }
int __builtin_ctzl(unsigned long x) { return __builtin_ctzll(x); }
int __builtin_clzll(unsigned long long x) {
    int n = 0;
    for (; !(x >> 63); x <<= 1) n++;
    return n;
}
int __builtin_clz(unsigned x) { return __builtin_clzll(x) - 32; }
int __builtin_clzl(unsigned long x) { return __builtin_clzll(x) - (64 - 8 * (int)sizeof x); }
int __builtin_ffsll(long long x) { return x ? __builtin_ctzll((unsigned long long)x) + 1 : 0; }
int __builtin_ffs(int x) { return __builtin_ffsll(x); }
int __builtin_ffsl(long x) { return __builtin_ffsll(x); }
int ffs(int x) { return __builtin_ffsll(x); }
