/* Strings, wide characters, numbers, addresses and small algorithms: functions whose result follows from their
 * arguments. Locales other than "C" are not modelled: where characters outside of ASCII would make a difference,
 * the program goes beyond what is modelled.
 *
 * `ut_result` is the type that the user's declaration gives to the result, and `ut_argument` that of the first
 * parameter: structs have to be the user's own. */

typedef __typeof__(sizeof 0) ut_size;
typedef struct ut_any_result { long long members[2]; } ut_result;
typedef struct { unsigned member; } ut_argument;

enum { UT_ENOSPC = 28, UT_ERANGE = 34, UT_EAFNOSUPPORT = 97 };

/* ---- searching ---- */

static int ut_in_set(char c, char *set) {
    for (; *set; set++)
        if (*set == c) return 1;
    return 0;
}
ut_size strspn(char *s, char *accepted) {
    ut_size n = 0;
    while (s[n] && ut_in_set(s[n], accepted)) n++;
    return n;
}
ut_size strcspn(char *s, char *refused) {
    ut_size n = 0;
    while (s[n] && !ut_in_set(s[n], refused)) n++;
    return n;
}
char *strpbrk(char *s, char *wanted) {
    s += strcspn(s, wanted);
    return *s ? s : 0;
}
char *strchrnul(char *s, int c) {
    while (*s && *s != (char)c) s++;
    return s;
}
char *index(char *s, int c) { return strchr(s, c); }
char *rindex(char *s, int c) { return strrchr(s, c); }
void *memrchr(void *memory, int c, ut_size n) {
    unsigned char *p = memory;
    while (n-- > 0)
        if (p[n] == (unsigned char)c) return p + n;
    return 0;
}
void *rawmemchr(void *memory, int c) {
    unsigned char *p = memory;
    while (*p != (unsigned char)c) p++;
    return p;
}
void *memmem(void *memory, ut_size n, void *wanted, ut_size length) {
    unsigned char *p = memory, *q = wanted;
    for (ut_size i = 0; length <= n && i <= n - length; i++) {
        ut_size same = 0;
        while (same < length && p[i + same] == q[same]) same++;
        if (same == length) return p + i;
    }
    return 0;
}

/* ---- comparing ---- */

static int ut_lower(char c) { return tolower((unsigned char)c); }
int strcasecmp(char *a, char *b) {
    ut_size i = 0;
    while (a[i] && ut_lower(a[i]) == ut_lower(b[i])) i++;
    return ut_lower(a[i]) - ut_lower(b[i]);
}
int strncasecmp(char *a, char *b, ut_size n) {
    for (ut_size i = 0; i < n; i++) {
        int difference = ut_lower(a[i]) - ut_lower(b[i]);
        if (difference || !a[i]) return difference;
    }
    return 0;
}
char *strcasestr(char *s, char *wanted) {
    ut_size n = strlen(wanted);
    for (;; s++) {
        if (strncasecmp(s, wanted, n) == 0) return s;
        if (!*s) return 0;
    }
}
int strcoll(char *a, char *b) { return strcmp(a, b); }
int bcmp(void *a, void *b, ut_size n) {
    unsigned char *p = a, *q = b;
    for (ut_size i = 0; i < n; i++)
        if (p[i] != q[i]) return 1;
    return 0;
}

/* ---- copying ---- */

char *stpcpy(char *to, char *from) {
    ut_size i = 0;
    for (; from[i]; i++) to[i] = from[i];
    to[i] = 0;
    return to + i;
}
char *stpncpy(char *to, char *from, ut_size n) {
    ut_size length = 0;
    for (; length < n && from[length]; length++) to[length] = from[length];
    for (ut_size i = length; i < n; i++) to[i] = 0;
    return to + length;
}
ut_size strlcpy(char *to, char *from, ut_size n) {
    ut_size i = 0;
    for (; i + 1 < n && from[i]; i++) to[i] = from[i];
    if (n > 0) to[i] = 0;
    while (from[i]) i++;
    return i;
}
ut_size strlcat(char *to, char *from, ut_size n) {
    ut_size length = strnlen(to, n);
    return length + strlcpy(to + length, from, n - length);
}
ut_size strxfrm(char *to, char *from, ut_size n) {
    ut_size length = strlen(from);
    if (length < n) strcpy(to, from);
    return length;
}
void *memccpy(void *to, void *from, int c, ut_size n) {
    unsigned char *p = to, *q = from;
    for (ut_size i = 0; i < n; i++) {
        unsigned char byte = q[i];
        p[i] = byte;
        if (byte == (unsigned char)c) return p + i + 1;
    }
    return 0;
}
void *mempcpy(void *to, void *from, ut_size n) {
    memcpy(to, from, n);
    return (char *)to + n;
}
void bcopy(void *from, void *to, ut_size n) { memmove(to, from, n); }
void explicit_bzero(void *memory, ut_size n) { bzero(memory, n); }
void swab(void *from, void *to, long n) {
    char *p = from, *q = to;
    for (long i = 0; i + 1 < n; i += 2) {
        char first = p[i], second = p[i + 1];
        q[i] = second;
        q[i + 1] = first;
    }
}

/* ---- taking apart ---- */

char *strtok_r(char *s, char *delimiters, char **rest) {
    if (!s) s = *rest;
    if (!s) return 0;
    s += strspn(s, delimiters);
    if (!*s) {
        *rest = s;
        return 0;
    }
    char *end = s + strcspn(s, delimiters);
    if (*end) *end++ = 0;
    *rest = end;
    return s;
}
char *__strtok_r(char *s, char *delimiters, char **rest) { return strtok_r(s, delimiters, rest); }
static char *ut_token_rest;
char *strtok(char *s, char *delimiters) { return strtok_r(s, delimiters, &ut_token_rest); }
char *strsep(char **rest, char *delimiters) {
    char *s = *rest;
    if (!s) return 0;
    char *end = s + strcspn(s, delimiters);
    if (*end) {
        *end = 0;
        *rest = end + 1;
    } else *rest = 0;
    return s;
}
static char ut_here[2] = ".";
char *basename(char *path) {
    char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
/* The basename() of <libgen.h>: slashes at the end do not count. */
char *__xpg_basename(char *path) {
    if (!path || !*path) return ut_here;
    ut_size end = strlen(path);
    while (end > 1 && path[end - 1] == '/') end--;
    if (path[end]) path[end] = 0;
    ut_size start = end;
    while (start > 0 && path[start - 1] != '/') start--;
    return start == end ? path + start - 1 : path + start;
}
char *dirname(char *path) {
    if (!path || !*path) return ut_here;
    ut_size i = strlen(path) - 1;
    while (i > 0 && path[i] == '/') i--;
    while (i > 0 && path[i] != '/') i--;
    if (path[i] != '/') return ut_here;
    while (i > 0 && path[i] == '/') i--;
    if (path[i + 1]) path[i + 1] = 0;
    return path;
}

/* ---- characters, in the "C" locale ---- */

int isascii(int c) { return (c & ~0x7f) == 0; }
int toascii(int c) { return c & 0x7f; }
int isprint(int c) { return c >= ' ' && c <= '~'; }
int isgraph(int c) { return c > ' ' && c <= '~'; }
int iscntrl(int c) { return (c >= 0 && c < ' ') || c == 127; }
int isblank(int c) { return c == ' ' || c == '\t'; }
int ispunct(int c) { return isgraph(c) && !isalnum(c); }
int isxdigit(int c) { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/* ---- wide characters ---- */

typedef int ut_wide;

static int ut_plain(long c) {
    if (c < 0 || c > 127) __unthread_limit("wide characters outside of ASCII");
    return (int)c;
}
/* WEOF belongs to no class. */
static int ut_wide_class(unsigned c) { return c == ~0u ? -1 : ut_plain(c); }
int iswalnum(unsigned c) { return isalnum(ut_wide_class(c)); }
int iswalpha(unsigned c) { return isalpha(ut_wide_class(c)); }
int iswblank(unsigned c) { return isblank(ut_wide_class(c)); }
int iswcntrl(unsigned c) { return iscntrl(ut_wide_class(c)); }
int iswdigit(unsigned c) { return c >= '0' && c <= '9'; }
int iswgraph(unsigned c) { return isgraph(ut_wide_class(c)); }
int iswlower(unsigned c) { return islower(ut_wide_class(c)); }
int iswprint(unsigned c) { return isprint(ut_wide_class(c)); }
int iswpunct(unsigned c) { return ispunct(ut_wide_class(c)); }
int iswspace(unsigned c) { return isspace(ut_wide_class(c)); }
int iswupper(unsigned c) { return isupper(ut_wide_class(c)); }
int iswxdigit(unsigned c) { return c < 128 && isxdigit((int)c); }
unsigned towlower(unsigned c) { return (unsigned)tolower(ut_wide_class(c)); }
unsigned towupper(unsigned c) { return (unsigned)toupper(ut_wide_class(c)); }
unsigned btowc(int c) { return c == -1 ? ~0u : (unsigned)ut_plain(c); }
int wctob(unsigned c) { return ut_wide_class(c); }

ut_size wcslen(ut_wide *s) {
    ut_size n = 0;
    while (s[n]) n++;
    return n;
}
ut_size wcsnlen(ut_wide *s, ut_size max) {
    ut_size n = 0;
    while (n < max && s[n]) n++;
    return n;
}
ut_wide *wcscpy(ut_wide *to, ut_wide *from) {
    ut_size i = 0;
    do to[i] = from[i]; while (from[i++]);
    return to;
}
ut_wide *wcsncpy(ut_wide *to, ut_wide *from, ut_size n) {
    ut_size i = 0;
    for (; i < n && from[i]; i++) to[i] = from[i];
    for (; i < n; i++) to[i] = 0;
    return to;
}
ut_wide *wcscat(ut_wide *to, ut_wide *from) {
    wcscpy(to + wcslen(to), from);
    return to;
}
ut_wide *wcsncat(ut_wide *to, ut_wide *from, ut_size n) {
    ut_wide *end = to + wcslen(to);
    ut_size i = 0;
    for (; i < n && from[i]; i++) end[i] = from[i];
    end[i] = 0;
    return to;
}
int wcsncmp(ut_wide *a, ut_wide *b, ut_size n) {
    for (ut_size i = 0; i < n; i++) {
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
        if (!a[i]) return 0;
    }
    return 0;
}
int wcscmp(ut_wide *a, ut_wide *b) { return wcsncmp(a, b, ~(ut_size)0); }
ut_wide *wcschr(ut_wide *s, ut_wide c) {
    for (;; s++) {
        if (*s == c) return s;
        if (!*s) return 0;
    }
}
ut_wide *wcsrchr(ut_wide *s, ut_wide c) {
    ut_wide *found = 0;
    for (;; s++) {
        if (*s == c) found = s;
        if (!*s) return found;
    }
}
ut_wide *wcsstr(ut_wide *s, ut_wide *wanted) {
    ut_size n = wcslen(wanted);
    for (;; s++) {
        if (wcsncmp(s, wanted, n) == 0) return s;
        if (!*s) return 0;
    }
}
ut_wide *wcsdup(ut_wide *s) { return wcscpy(malloc((wcslen(s) + 1) * sizeof *s), s); }
ut_wide *wmemcpy(ut_wide *to, ut_wide *from, ut_size n) {
    for (ut_size i = 0; i < n; i++) to[i] = from[i];
    return to;
}
ut_wide *wmemmove(ut_wide *to, ut_wide *from, ut_size n) { return memmove(to, from, n * sizeof *to); }
ut_wide *wmemset(ut_wide *to, ut_wide c, ut_size n) {
    for (ut_size i = 0; i < n; i++) to[i] = c;
    return to;
}
int wmemcmp(ut_wide *a, ut_wide *b, ut_size n) {
    for (ut_size i = 0; i < n; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}
ut_wide *wmemchr(ut_wide *s, ut_wide c, ut_size n) {
    for (ut_size i = 0; i < n; i++)
        if (s[i] == c) return s + i;
    return 0;
}

/* Conversions have no state: one byte is one character. */
ut_size mbrtowc(ut_wide *to, char *s, ut_size n, void *state) {
    if (!s) return 0;
    if (n == 0) return (ut_size)-2;
    int c = ut_plain((unsigned char)*s);
    if (to) *to = c;
    return c != 0;
}
ut_size mbrlen(char *s, ut_size n, void *state) { return mbrtowc(0, s, n, state); }
int mbtowc(ut_wide *to, char *s, ut_size n) {
    if (!s) return 0;
    return n == 0 ? -1 : (int)mbrtowc(to, s, n, 0);
}
int mblen(char *s, ut_size n) { return mbtowc(0, s, n); }
int mbsinit(void *state) { return 1; }
ut_size wcrtomb(char *to, ut_wide c, void *state) {
    if (to) *to = (char)ut_plain(c);
    return 1;
}
int wctomb(char *to, ut_wide c) {
    if (!to) return 0;
    *to = (char)ut_plain(c);
    return 1;
}
ut_size mbstowcs(ut_wide *to, char *s, ut_size n) {
    ut_size i = 0;
    for (; !to || i < n; i++) {
        int c = ut_plain((unsigned char)s[i]);
        if (to) to[i] = c;
        if (!c) break;
    }
    return i;
}
ut_size wcstombs(char *to, ut_wide *s, ut_size n) {
    ut_size i = 0;
    for (; !to || i < n; i++) {
        int c = ut_plain(s[i]);
        if (to) to[i] = (char)c;
        if (!c) break;
    }
    return i;
}

/* ---- numbers ---- */

ut_result div(int a, int b) {
    ut_result result;
    int *members = (int *)&result;
    members[0] = a / b;
    members[1] = a % b;
    return result;
}
ut_result ldiv(long a, long b) {
    ut_result result;
    long *members = (long *)&result;
    members[0] = a / b;
    members[1] = a % b;
    return result;
}
ut_result lldiv(long long a, long long b) {
    ut_result result;
    long long *members = (long long *)&result;
    members[0] = a / b;
    members[1] = a % b;
    return result;
}
/* intmax_t is `long` where that has 64 bits. */
typedef __typeof__(__builtin_choose_expr(sizeof(long) == 8, 0L, 0LL)) ut_widest;
typedef __typeof__(__builtin_choose_expr(sizeof(long) == 8, 0UL, 0ULL)) ut_widest_unsigned;
ut_result imaxdiv(ut_widest a, ut_widest b) {
    ut_result result;
    ut_widest *members = (ut_widest *)&result;
    members[0] = a / b;
    members[1] = a % b;
    return result;
}
ut_widest imaxabs(ut_widest x) { return x < 0 ? -x : x; }
ut_widest strtoimax(char *s, char **end, int base) { return strtoll(s, end, base); }
ut_widest_unsigned strtoumax(char *s, char **end, int base) { return strtoull(s, end, base); }
int ffsl(long x) { return __builtin_ffsll(x); }
int ffsll(long long x) { return __builtin_ffsll(x); }

/* ---- byte order and addresses of the internet; the machine has the lowest byte first ---- */

unsigned htonl(unsigned x) { return __builtin_bswap32(x); }
unsigned ntohl(unsigned x) { return __builtin_bswap32(x); }
unsigned short htons(unsigned short x) { return __builtin_bswap16(x); }
unsigned short ntohs(unsigned short x) { return __builtin_bswap16(x); }

/* Up to four numbers of any base with dots between them; the last one fills the bytes that are left. */
int inet_aton(char *s, unsigned *result) {
    unsigned value = 0;
    for (int parts = 0;; parts++) {
        char *end;
        if (*s < '0' || *s > '9') return 0;
        unsigned long long part = strtoull(s, &end, 0);
        s = end;
        if (*s == '.' && parts < 3) {
            if (part > 255) return 0;
            value = value << 8 | (unsigned)part;
            s++;
            continue;
        }
        if (*s && !isspace((unsigned char)*s)) return 0;
        if (part > 0xffffffffu >> 8 * parts) return 0;
        value = parts == 0 ? (unsigned)part : value << (32 - 8 * parts) | (unsigned)part;
        if (result) *result = htonl(value);
        return 1;
    }
}
unsigned inet_addr(char *s) {
    unsigned result;
    return inet_aton(s, &result) ? result : ~0u;
}
static char *ut_put_number(char *to, unsigned number) {
    if (number >= 100) *to++ = (char)('0' + number / 100);
    if (number >= 10) *to++ = (char)('0' + number / 10 % 10);
    *to++ = (char)('0' + number % 10);
    return to;
}
static void ut_put_address(char *to, unsigned char *bytes) {
    for (int i = 0; i < 4; i++) {
        if (i > 0) *to++ = '.';
        to = ut_put_number(to, bytes[i]);
    }
    *to = 0;
}
static char ut_address_text[16];
char *inet_ntoa(ut_argument address) {
    ut_put_address(ut_address_text, (unsigned char *)&address);
    return ut_address_text;
}
char *inet_ntop(int family, void *address, char *to, unsigned n) {
    char text[16];
    if (family == 10) __unthread_limit("addresses of IPv6 as text");
    if (family != 2) {
        *__errno_location() = UT_EAFNOSUPPORT;
        return 0;
    }
    ut_put_address(text, address);
    if (strlen(text) >= n) {
        *__errno_location() = UT_ENOSPC;
        return 0;
    }
    return strcpy(to, text);
}
int inet_pton(int family, char *s, void *result) {
    unsigned char bytes[4];
    if (family == 10) __unthread_limit("addresses of IPv6 as text");
    if (family != 2) {
        *__errno_location() = UT_EAFNOSUPPORT;
        return -1;
    }
    for (int i = 0; i < 4; i++) {
        int number = 0, digits = 0;
        if (i > 0 && *s++ != '.') return 0;
        for (; *s >= '0' && *s <= '9'; digits++) {
            if (digits > 0 && number == 0) return 0;
            number = 10 * number + (*s++ - '0');
            if (number > 255) return 0;
        }
        if (digits == 0) return 0;
        bytes[i] = (unsigned char)number;
    }
    if (*s) return 0;
    memcpy(result, bytes, 4);
    return 1;
}

/* ---- small algorithms ---- */

void *lfind(void *key, void *base, ut_size *count, ut_size size, int (*compare)(void *, void *)) {
    char *p = base;
    for (ut_size i = 0, n = *count; i < n; i++)
        if (compare(key, p + i * size) == 0) return p + i * size;
    return 0;
}
void *lsearch(void *key, void *base, ut_size *count, ut_size size, int (*compare)(void *, void *)) {
    void *found = lfind(key, base, count, size, compare);
    if (found) return found;
    char *end = (char *)base + *count * size;
    memcpy(end, key, size);
    *count = *count + 1;
    return end;
}
void qsort_r(void *base, ut_size count, ut_size size, int (*compare)(void *, void *, void *), void *argument) {
    char *p = base;
    for (ut_size i = 1; i < count; i++)
        for (ut_size j = i; j > 0 && compare(p + (j - 1) * size, p + j * size, argument) > 0; j--)
            ut_swap(p + (j - 1) * size, p + j * size, size);
}
struct ut_element { struct ut_element *next, *previous; };
void insque(void *element, void *behind) {
    struct ut_element *e = element, *b = behind;
    if (!b) {
        e->next = 0;
        e->previous = 0;
        return;
    }
    struct ut_element *next = b->next;
    b->next = e;
    if (next) next->previous = e;
    e->next = next;
    e->previous = b;
}
void remque(void *element) {
    struct ut_element *next = ((struct ut_element *)element)->next;
    struct ut_element *previous = ((struct ut_element *)element)->previous;
    if (next) next->previous = previous;
    if (previous) previous->next = next;
}
void *reallocarray(void *memory, ut_size count, ut_size size) {
    if (size && count > ~(ut_size)0 / size) {
        *__errno_location() = 12;
        return 0;
    }
    return realloc(memory, count * size);
}
