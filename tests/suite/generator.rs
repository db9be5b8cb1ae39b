//! Random small threaded C programs, from tables of weighted templates: what the engines are compared on.
//!
//! A random test proves only what its generator can write. So everything that a program can contain is a row of a
//! table here, every row has the name of a feature, and a test counts that all of them occur. A program is a tree of
//! statements; its declarations are those that its text mentions, so that any part of the tree can be dropped.
//!
//! The language of the templates: `$(a$|b$)` is one of the alternatives, `$;` separates statements that others may come
//! between, and the letters are explained at `Maker::placeholder`. Text that is not behind a `$` is C.

use crate::support::report;
use std::collections::{BTreeMap, BTreeSet};
use unthread::il::DataModel;

// ---- the interface ----

pub struct Generated {
    pub text: String,
    /// What the program uses: one name per use.
    pub features: Vec<&'static str>,
}

/// A program: `main`, the start functions of threads, and functions of its own.
#[derive(Clone)]
pub struct Tree {
    functions: Vec<Function>,
}

#[derive(Clone)]
struct Function {
    name: &'static str,
    kind: Kind,
    body: Vec<Node>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Main,
    Posix,
    C11,
    Helper,
    Atomic,
}

/// A statement: `parts` are the texts around its branches, always one more than there are branches.
#[derive(Clone)]
struct Node {
    parts: Vec<String>,
    branches: Vec<Vec<Node>>,
    features: Vec<&'static str>,
}

// ---- what programs declare: a line each, `name: text`; a line mentions only names of lines before it ----

const TYPES: &str = "
pthread_t: typedef unsigned long pthread_t;
FILE: typedef struct file FILE;
timespec: struct timespec { long tv_sec; long tv_nsec; };
pthread_attr_t: typedef union { char size[56]; long align; } pthread_attr_t;
pthread_mutex_t: typedef union { struct { int lock; unsigned count; int owner; unsigned users; int kind; } data; char size[40]; long align; } pthread_mutex_t;
pthread_mutexattr_t: typedef union { char size[4]; int align; } pthread_mutexattr_t;
pthread_cond_t: typedef union { char size[48]; long long align; } pthread_cond_t;
pthread_condattr_t: typedef union { char size[4]; int align; } pthread_condattr_t;
pthread_rwlock_t: typedef union { char size[56]; long align; } pthread_rwlock_t;
pthread_rwlockattr_t: typedef union { char size[8]; long align; } pthread_rwlockattr_t;
pthread_barrier_t: typedef union { char size[32]; long align; } pthread_barrier_t;
pthread_barrierattr_t: typedef union { char size[4]; int align; } pthread_barrierattr_t;
pthread_spinlock_t: typedef volatile int pthread_spinlock_t;
sem_t: typedef union { char size[32]; long align; } sem_t;
mtx_t: typedef union { char size[40]; long align; } mtx_t;
cnd_t: typedef union { char size[48]; long long align; } cnd_t;
once_flag: typedef struct { int data; } once_flag;
color: enum color { RED, GREEN, BLUE };
pair: struct pair { char tag; int value; };
nested: struct nested { struct pair inner; short list[2]; };
mixed: union mixed { int word; unsigned char byte[4]; short half[2]; };
bits: struct bits { unsigned lo : 3; unsigned hi : 5; int mid : 4; _Bool on : 1; };
node: struct node { int value; struct node *next; };
flag_t: typedef struct { _Bool set; } flag_t;
";

/// Functions of the library; a prototype has the name before its first parenthesis.
const PROTOTYPES: &str = "
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void pthread_exit(void *);
pthread_t pthread_self(void);
int pthread_detach(pthread_t);
int pthread_equal(pthread_t, pthread_t);
int thrd_create(unsigned long *, int (*)(void *), void *);
int thrd_join(unsigned long, int *);
void thrd_exit(int);
unsigned long thrd_current(void);
int thrd_detach(unsigned long);
int thrd_equal(unsigned long, unsigned long);
int thrd_sleep(const struct timespec *, struct timespec *);
void thrd_yield(void);
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_timedlock(pthread_mutex_t *, const struct timespec *);
int pthread_mutex_clocklock(pthread_mutex_t *, int, const struct timespec *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutexattr_init(pthread_mutexattr_t *);
int pthread_mutexattr_destroy(pthread_mutexattr_t *);
int pthread_mutexattr_settype(pthread_mutexattr_t *, int);
int pthread_mutexattr_gettype(const pthread_mutexattr_t *, int *);
int pthread_mutexattr_setpshared(pthread_mutexattr_t *, int);
int pthread_mutexattr_setprotocol(pthread_mutexattr_t *, int);
int pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *);
int pthread_cond_destroy(pthread_cond_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
int pthread_cond_clockwait(pthread_cond_t *, pthread_mutex_t *, int, const struct timespec *);
int pthread_cond_signal(pthread_cond_t *);
int pthread_cond_broadcast(pthread_cond_t *);
int pthread_condattr_init(pthread_condattr_t *);
int pthread_condattr_destroy(pthread_condattr_t *);
int pthread_condattr_setclock(pthread_condattr_t *, int);
int pthread_condattr_setpshared(pthread_condattr_t *, int);
int pthread_rwlock_init(pthread_rwlock_t *, const pthread_rwlockattr_t *);
int pthread_rwlock_destroy(pthread_rwlock_t *);
int pthread_rwlock_rdlock(pthread_rwlock_t *);
int pthread_rwlock_wrlock(pthread_rwlock_t *);
int pthread_rwlock_tryrdlock(pthread_rwlock_t *);
int pthread_rwlock_trywrlock(pthread_rwlock_t *);
int pthread_rwlock_timedrdlock(pthread_rwlock_t *, const struct timespec *);
int pthread_rwlock_timedwrlock(pthread_rwlock_t *, const struct timespec *);
int pthread_rwlock_unlock(pthread_rwlock_t *);
int pthread_rwlockattr_init(pthread_rwlockattr_t *);
int pthread_rwlockattr_destroy(pthread_rwlockattr_t *);
int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *, int);
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *, int);
int pthread_barrier_init(pthread_barrier_t *, const pthread_barrierattr_t *, unsigned);
int pthread_barrier_destroy(pthread_barrier_t *);
int pthread_barrier_wait(pthread_barrier_t *);
int pthread_barrierattr_init(pthread_barrierattr_t *);
int pthread_barrierattr_destroy(pthread_barrierattr_t *);
int pthread_barrierattr_setpshared(pthread_barrierattr_t *, int);
int pthread_spin_init(pthread_spinlock_t *, int);
int pthread_spin_destroy(pthread_spinlock_t *);
int pthread_spin_lock(pthread_spinlock_t *);
int pthread_spin_trylock(pthread_spinlock_t *);
int pthread_spin_unlock(pthread_spinlock_t *);
int pthread_once(int *, void (*)(void));
int pthread_key_create(unsigned *, void (*)(void *));
int pthread_key_delete(unsigned);
int pthread_setspecific(unsigned, const void *);
void *pthread_getspecific(unsigned);
int sem_init(sem_t *, int, unsigned);
int sem_destroy(sem_t *);
int sem_wait(sem_t *);
int sem_trywait(sem_t *);
int sem_timedwait(sem_t *, const struct timespec *);
int sem_clockwait(sem_t *, int, const struct timespec *);
int sem_post(sem_t *);
int sem_getvalue(sem_t *, int *);
int pthread_attr_init(pthread_attr_t *);
int pthread_attr_destroy(pthread_attr_t *);
int pthread_attr_setdetachstate(pthread_attr_t *, int);
int pthread_attr_getdetachstate(const pthread_attr_t *, int *);
int pthread_attr_setstacksize(pthread_attr_t *, unsigned long);
int pthread_attr_setguardsize(pthread_attr_t *, unsigned long);
int pthread_attr_setscope(pthread_attr_t *, int);
int pthread_attr_setschedpolicy(pthread_attr_t *, int);
int pthread_attr_setschedparam(pthread_attr_t *, const void *);
int pthread_attr_setinheritsched(pthread_attr_t *, int);
int pthread_setconcurrency(int);
int pthread_setname_np(pthread_t, const char *);
int pthread_setschedparam(pthread_t, int, const void *);
int pthread_setaffinity_np(pthread_t, unsigned long, const void *);
int pthread_setcancelstate(int, int *);
int pthread_setcanceltype(int, int *);
void pthread_testcancel(void);
int pthread_atfork(void (*)(void), void (*)(void), void (*)(void));
int pthread_mutexattr_setrobust(pthread_mutexattr_t *, int);
void _pthread_cleanup_push(void *, void (*)(void *), void *);
void _pthread_cleanup_pop(void *, int);
int mtx_init(mtx_t *, int);
void mtx_destroy(mtx_t *);
int mtx_lock(mtx_t *);
int mtx_trylock(mtx_t *);
int mtx_timedlock(mtx_t *, const struct timespec *);
int mtx_unlock(mtx_t *);
int cnd_init(cnd_t *);
void cnd_destroy(cnd_t *);
int cnd_wait(cnd_t *, mtx_t *);
int cnd_timedwait(cnd_t *, mtx_t *, const struct timespec *);
int cnd_signal(cnd_t *);
int cnd_broadcast(cnd_t *);
int tss_create(unsigned *, void (*)(void *));
void tss_delete(unsigned);
int tss_set(unsigned, void *);
void *tss_get(unsigned);
void call_once(once_flag *, void (*)(void));
int sched_yield(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
void reach_error(void);
void __assert_fail(const char *, const char *, unsigned, const char *);
_Bool __VERIFIER_nondet_bool(void);
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
void *alloca(unsigned long);
void *memcpy(void *, const void *, unsigned long);
void *memmove(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
int memcmp(const void *, const void *, unsigned long);
void *memchr(const void *, int, unsigned long);
void bzero(void *, unsigned long);
unsigned long strlen(const char *);
char *strcpy(char *, const char *);
char *strncpy(char *, const char *, unsigned long);
char *strcat(char *, const char *);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, unsigned long);
char *strchr(const char *, int);
char *strdup(const char *);
int printf(const char *, ...);
int fprintf(FILE *, const char *, ...);
int sprintf(char *, const char *, ...);
int snprintf(char *, unsigned long, const char *, ...);
int vprintf(const char *, __builtin_va_list);
int vfprintf(FILE *, const char *, __builtin_va_list);
int vsprintf(char *, const char *, __builtin_va_list);
int vsnprintf(char *, unsigned long, const char *, __builtin_va_list);
int puts(const char *);
int putchar(int);
int fputs(const char *, FILE *);
int fputc(int, FILE *);
int fflush(FILE *);
int sscanf(const char *, const char *, ...);
int fscanf(FILE *, const char *, ...);
int scanf(const char *, ...);
void exit(int);
void _exit(int);
void abort(void);
int atexit(void (*)(void));
int abs(int);
int atoi(const char *);
long strtol(const char *, char **, int);
int rand(void);
int toupper(int);
int isdigit(int);
int ffs(int);
void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
unsigned sleep(unsigned);
int usleep(unsigned);
int *__errno_location(void);
int posix_memalign(void **, unsigned long, unsigned long);
";

/// Memory that all threads see. What an idiom relies on has a name of its own, which no other row writes.
const GLOBALS: &str = "
stdin: extern FILE *stdin;
stdout: extern FILE *stdout;
when: struct timespec when;
x: int x;
y: int y;
a: int a[3];
u: unsigned u;
flag: _Bool flag;
sc: signed char sc;
uc: unsigned char uc;
sh: short sh;
us: unsigned short us;
lg: long lg;
ll: long long ll;
ull: unsigned long long ull;
hue: enum color hue;
vol: volatile int vol;
at: _Atomic int at;
atl: _Atomic long atl;
abool: _Atomic _Bool abool;
bytes: char bytes[4];
s: struct pair s;
s2: struct pair s2;
nest: struct nested nest;
nest2: struct nested nest2;
un: union mixed un;
bf: struct bits bf;
tl: _Thread_local int tl;
n0: struct node n0;
p0: struct node *p0 = &n0;
ip: int *ip = &x;
ap: int *ap = a;
m0: pthread_mutex_t m0;
m1: pthread_mutex_t m1 = { { 0, 0, 0, 0, 1 } };
m2: pthread_mutex_t m2 = { { 0, 0, 0, 0, 2 } };
m3: pthread_mutex_t m3;
m4: pthread_mutex_t m4;
m5: pthread_mutex_t m5;
m6: pthread_mutex_t m6;
mx: mtx_t mx;
my: mtx_t my;
rw: pthread_rwlock_t rw;
rx: pthread_rwlock_t rx;
spin: pthread_spinlock_t spin;
cv: pthread_cond_t cv;
cx: cnd_t cx;
bar: pthread_barrier_t bar;
sem0: sem_t sem0;
sem1: sem_t sem1;
sem2: sem_t sem2;
key: unsigned key;
once: int once;
once2: once_flag once2;
cnt: int cnt;
in: int in;
data: int data;
ready: int ready;
w1: int w1;
w2: int w2;
r1: int r1;
r2: int r2;
taken: _Bool taken;
winners: short winners;
go: volatile int go;
inits: int inits;
gone: int gone;
head: struct node *head;
coded: unsigned long coded;
buf: char buf[4];
text: char text[4] = \"x\";
cp: char *cp;
q1: struct pair q1;
bits1: struct bits bits1;
un1: union mixed un1;
lp: int *lp;
hp: int *hp;
np: int *np;
vp: int *vp;
me: unsigned long me;
tas: flag_t tas;
busy: char busy;
shared_bytes: unsigned char *shared_bytes;
";

/// Functions that programs call; threads and functions with random bodies come after them.
const HELPERS: &str = "
inc: static int inc(int v) { return v + 1; }
dec: static int dec(int v) { return v - 1; }
add: static int add(int v, int w) { if (v > 1) return 1; return v + w; }
fact: static int fact(int v) { return v < 2 ? 1 : v * fact(v - 1); }
sum: static int sum(int count, ...) { __builtin_va_list list; int total = 0; __builtin_va_start(list, count); while (count-- > 0) total += __builtin_va_arg(list, int); __builtin_va_end(list); return total; }
peek: static int peek(void) { return x; }
next: static int next(void) { static int last; last++; return last; }
bump: static void bump(int *to, int by) { *to = *to + by; }
both: static struct pair both(int v) { struct pair made; made.tag = (char)v; made.value = v; return made; }
clean: static void clean(void *arg) { *(int *)arg = 1; }
order: static int order(const void *v, const void *w) { return *(const int *)v - *(const int *)w; }
fp: int (*fp)(int);
fq: int (*fq)(int) = inc;
table: int (*table[2])(int) = { inc, dec };
say: static void say(const char *format, ...) { __builtin_va_list list; __builtin_va_start(list, format); vprintf(format, list); __builtin_va_end(list); }
tell: static void tell(const char *format, ...) { __builtin_va_list list; __builtin_va_start(list, format); vfprintf(stdout, format, list); __builtin_va_end(list); }
put: static void put(char *to, const char *format, ...) { __builtin_va_list list; __builtin_va_start(list, format); vsprintf(to, format, list); __builtin_va_end(list); }
fit: static void fit(char *to, const char *format, ...) { __builtin_va_list list; __builtin_va_start(list, format); vsnprintf(to, 4, format, list); __builtin_va_end(list); }
begin_once: static void begin_once(void) { inits++; }
key_gone: static void key_gone(void *value) { gone++; }
at_end: static void at_end(void) { if (cnt > 2) reach_error(); }
__VERIFIER_atomic_swap: void __VERIFIER_atomic_swap(void) { int kept = x; x = y; y = kept; }
__VERIFIER_atomic_stop: void __VERIFIER_atomic_stop(void) { y = 1; __VERIFIER_assume(x > 0); y = 0; }
__VERIFIER_atomic_take: void __VERIFIER_atomic_take(void) { __VERIFIER_assume(busy == 0); busy = 1; }
__VERIFIER_atomic_end_it: void __VERIFIER_atomic_end_it(int v) { x = v; if (y == 1) abort(); }
__VERIFIER_atomic_own: void __VERIFIER_atomic_own(void);
own: static int own(int *to, int v);
f1: void *f1(void *arg);
f2: void *f2(void *arg);
f3: void *f3(void *arg);
g1: int g1(void *arg);
g2: int g2(void *arg);
g3: int g3(void *arg);
t1: unsigned long t1;
t2: unsigned long t2;
t3: unsigned long t3;
ts: unsigned long ts[2];
";

/// Locals that a function has if it mentions them. Ids of threads are local if no other function mentions them.
const LOCALS: &str = "
l: int l = 0;
k: int k = 0;
turn: int turn = 0;
mine: int mine = 0;
result: void *result = 0;
code: int code = 0;
t1: unsigned long t1;
t2: unsigned long t2;
t3: unsigned long t3;
ts: unsigned long ts[2];
";

// ---- what programs do ----

/// How often, which feature, the template.
type Row = (u32, &'static str, &'static str);

/// Places that hold numbers: every type, and every way to reach memory.
#[rustfmt::skip]
const PLACES: &[Row] = &[
    (8, "int", "x"),
    (6, "int", "y"),
    (3, "array", "a[2]"),
    (3, "array with variable index", "a[$(x$|y$|l$) & 1]"),
    (2, "unsigned", "u"),
    (2, "_Bool", "flag"),
    (1, "signed char", "sc"),
    (1, "unsigned char", "uc"),
    (1, "short", "sh"),
    (1, "unsigned short", "us"),
    (1, "long", "lg"),
    (1, "long long", "ll"),
    (1, "unsigned long long", "ull"),
    (1, "enum", "hue"),
    (2, "volatile", "vol"),
    (2, "_Atomic", "at"),
    (1, "_Atomic", "atl"),
    (1, "_Atomic _Bool", "abool"),
    (1, "array", "bytes[1]"),
    (1, "array with variable index", "bytes[x & 3]"),
    (2, "struct", "s.value"),
    (1, "struct", "s.tag"),
    (1, "nested struct", "nest.inner.value"),
    (1, "array in struct", "nest.list[y & 1]"),
    (1, "union", "un.word"),
    (1, "union", "un.byte[1]"),
    (1, "union", "un.half[0]"),
    (1, "bit-field", "bf.lo"),
    (1, "bit-field", "bf.hi"),
    (1, "signed bit-field", "bf.mid"),
    (1, "_Bool bit-field", "bf.on"),
    (2, "pointer to struct", "p0->value"),
    (2, "pointer", "(*ip)"),
    (2, "pointer arithmetic", "(*(ap + 1))"),
    (1, "pointer arithmetic", "ap[x & 1]"),
    (1, "thread-local", "tl"),
];

/// Integers whose address can be taken for built-ins of all widths.
const WORDS: &[&str] = &["x", "y", "x", "y", "u", "lg", "sh", "uc", "a[1]", "s.value", "vol", "at", "ll", "sc"];

/// Places of type `int`.
const INTS: &[&str] = &["x", "y", "x", "a[1]", "s.value", "n0.value", "nest.inner.value", "un.word"];

/// Expressions without side effects but those of functions; `$e` in them is a smaller one.
#[rustfmt::skip]
const EXPRESSIONS: &[Row] = &[
    (12, "constant", "$d"),
    (14, "read", "$v"),
    (5, "local", "$(l$|k$)"),
    (3, "argument of a thread", "$a"),
    (5, "addition", "($e $(+$|-$) $e)"),
    (1, "multiplication", "($e * $d)"),
    (2, "bit operation", "($e $(&$||$|^$) $e)"),
    (2, "comparison as value", "($e $k $e)"),
    (2, "logical operator", "($v $(&&$|||$) $e)"),
    (1, "negation", "$(-$|~$|!$)$e"),
    (2, "shift", "($e $(<<$|>>$) ($e & 3))"),
    (1, "shift by any number of places", "($e $(<<$|>>$) ($e & 63))"),
    (1, "large value", "($e $(+ 2147483647$|- 2147483647$|* 65536$|+ 9223372036854775807LL$))"),
    (1, "product", "($e * $e)"),
    (2, "division", "($e $(/$|%$) $(2$|3$|(1 + ($e & 3))$))"),
    (2, "conditional operator", "($c ? $e : $e)"),
    (2, "conversion", "($(char$|unsigned char$|short$|unsigned$|long$|_Bool$|unsigned long long$))$e"),
    (1, "call", "add($e, $e)"),
    (1, "recursion", "fact($e & 3)"),
    (1, "variadic function", "sum(2, $e, $e)"),
    (1, "static local", "next()"),
    (1, "return of shared memory", "peek()"),
    (1, "pointer comparison", "(ip $(==$|!=$) &x)"),
    (1, "pointer difference", "(int)(&a[2] - ap)"),
    (1, "sizeof", "(int)sizeof(struct pair) / 8"),
    (1, "function pointer", "fq($e)"),
    (1, "table of functions", "table[$e & 1]($d)"),
    (1, "compound literal", "((struct pair){ 1, $d }).value"),
];

#[rustfmt::skip]
const CONDITIONS: &[Row] = &[
    (5, "comparison", "$v $k $d"),
    (2, "comparison", "$v $k $v"),
    (2, "truth of a value", "$v"),
    (1, "truth of a value", "!$v"),
    (1, "truth of a value", "$e & 1"),
    (2, "comparison of a local", "l $k $d"),
    (1, "logical operator", "$v $k $d $(&&$|||$) $v $k $d"),
];

/// What holds in most executions: an assertion on it seldom fails for a dull reason.
#[rustfmt::skip]
const CLAIMS: &[Row] = &[
    (4, "assertion on shared memory", "$v != $h"),
    (3, "assertion on shared memory", "$v < $h"),
    (3, "assertion on two places", "!($v == $d && $v == $h)"),
    (2, "assertion on two places", "$v == 0 || $v != $h"),
    (2, "assertion on a local", "l != $h"),
    (1, "assertion on a local", "l + k < $h + 2"),
];

/// Statements of one line.
#[rustfmt::skip]
const STATEMENTS: &[Row] = &[
    (14, "assignment", "$v = $e;"),
    (5, "compound assignment", "$v $(+=$|-=$|*=$||=$|&=$|^=$|<<=$|>>=$) $d;"),
    (1, "compound division", "$v $(/=$|%=$) $(2$|3$);"),
    (6, "increment", "$v$(++$|--$|++$);"),
    (2, "increment as value", "l = $($v++$|++$v$|$v--$);"),
    (8, "assignment to a local", "$(l$|l$|k$) = $e;"),
    (4, "local read twice", "l = $v; $A{l == $v || $v != $h}"),
    (5, "assertion in the middle", "$A{$t}"),
    (2, "comma operator", "l = (k = $e, k + $d);"),
    (2, "struct copy", "$(s2 = s;$|s = s2;$|s2 = both($e);$|nest2 = nest;$|nest.inner = s;$|*p0 = (struct node){ $e, 0 };$)"),
    (1, "struct local", "{ struct pair kept = s; kept.value++; s = kept; }"),
    (1, "union copy", "{ union mixed kept = un; kept.byte[2] = 1; un = kept; }"),
    (1, "bit-field copy", "{ struct bits kept = bf; bf.lo = kept.hi; bf = kept; }"),
    (2, "pointer moved", "ip = $(&x$|&y$|&a[$e & 1]$|&s.value$|ap$);"),
    (1, "pointer moved", "ap = $(a$|a + 1$|&a[1]$);"),
    (1, "pointer moved", "p0 = $(&n0$|p0$);"),
    (2, "parameter by pointer", "bump(&$i, $e);"),
    (3, "function with a random body", "l = own(&$i, $e);"),
    (2, "atomic function with a random body", "__VERIFIER_atomic_own();"),
    (1, "atomic function", "__VERIFIER_atomic_swap();"),
    (2, "early end of a thread", "if ($c) $R"),
    (1, "early end by a call", "if ($c) $X"),
    (2, "input", "l = __VERIFIER_nondet_bool();"),
    (1, "input", "l = __VERIFIER_nondet_int(); __VERIFIER_assume(l == 0 || l == 1);"),
    (1, "input", "$v = __VERIFIER_nondet_bool();"),
    (1, "statement expression", "l = ({ int kept = $v; kept + $d; });"),
    (1, "integer as bytes", "l = ((unsigned char *)&$i)[0];"),
    (1, "integer as bytes", "((unsigned char *)&$i)[1] = 0;"),
];

/// Built-ins of the compiler: all operations on all widths.
#[rustfmt::skip]
const ATOMICS: &[Row] = &[
    (3, "__atomic_fetch", "l = __atomic_fetch_$(add$|sub$|and$|or$|xor$|nand$)(&$g, $d, $(0$|5$));"),
    (3, "__atomic_op_fetch", "l = __atomic_$(add$|sub$|and$|or$|xor$|nand$)_fetch(&$g, $d, 5);"),
    (3, "__sync_fetch", "l = __sync_fetch_and_$(add$|sub$|and$|or$|xor$|nand$)(&$g, $d);"),
    (3, "__sync_op_fetch", "l = __sync_$(add$|sub$|and$|or$|xor$|nand$)_and_fetch(&$g, $d);"),
    (2, "__atomic_load", "l = __atomic_load_n(&$g, $(0$|2$|5$));"),
    (2, "__atomic_store", "__atomic_store_n(&$g, $d, $(0$|3$|5$));"),
    (2, "__atomic_exchange", "l = __atomic_exchange_n(&$g, $d, 5);"),
    (1, "generic __atomic_load", "__atomic_load(&$i, &l, 5);"),
    (1, "generic __atomic_store", "l = $d; __atomic_store(&$i, &l, 5);"),
    (1, "generic __atomic_exchange", "l = $d; __atomic_exchange(&$i, &l, &k, 5);"),
    (3, "__atomic_compare_exchange", "l = $d; k = __atomic_compare_exchange_n(&$i, &l, $d, $(0$|1$), 5, 0);"),
    (1, "generic __atomic_compare_exchange", "k = $d; l = __atomic_compare_exchange(&$i, &k, &l, 0, 5, 5);"),
    (2, "__sync_compare_and_swap", "l = __sync_$(bool$|val$)_compare_and_swap(&$g, $d, $d);"),
    (1, "__sync_lock", "l = __sync_lock_test_and_set(&$g, 1);"),
    (1, "__sync_lock", "__sync_lock_release(&$g);"),
    (1, "fence", "$(__sync_synchronize();$|__atomic_thread_fence(5);$|__atomic_signal_fence(5);$)"),
    (1, "overflow built-in", "l = __builtin_$(add$|sub$|mul$)_overflow($e, $d, &k);"),
    (1, "overflow built-in", "l = __builtin_add_overflow($e, $d, &$(sc$|x$|u$));"),
    (1, "bit built-in", "l = __builtin_$(popcount$|ffs$|parity$|bswap32$)($(x$|y$|u$));"),
];

/// Memory and strings. What nobody wrote is read as one bit, so that the values 0 and 1 stand for all.
#[rustfmt::skip]
const MEMORY: &[Row] = &[
    (2, "heap", "{ int *block = malloc(2 * sizeof(int)); block[0] = $e; block[1] = block[0]; l = block[1]; free(block); }"),
    (1, "calloc", "{ int *block = calloc(2, sizeof(int)); l = block[1]; block[1] = $e; k = block[1]; free(block); }"),
    (1, "realloc", "{ int *block = malloc(4); *block = $e; block = realloc(block, 8); l = *block; block[1] = 1; free(block); }"),
    (1, "realloc", "{ int *block = realloc(0, 4); *block = $e; $v = *block; free(block); }"),
    (1, "given out again", "{ int *block = malloc(4); long was = (long)block; free(block); block = malloc(4); l = was == (long)block; free(block); }"),
    (2, "unwritten heap", "{ int *block = malloc(8); block[0] = $e; l = (unsigned)block[1] & 1; free(block); }"),
    (1, "unwritten heap", "{ int **block = malloc(16); block[0] = &x; l = $(block[1] == 0$|block[0] == block[1]$); free(block); }"),
    (1, "unwritten heap", "{ char *block = malloc(4); char *more = realloc(block, 8); l = (unsigned)more[5] & 1; free(more); }"),
    (2, "unwritten local", "{ $(int$|short$|long$|unsigned char$) junk; l = (unsigned)junk & 1; $A{l < 2} }"),
    (1, "unwritten local", "{ int junk; if ($c) junk = $d; $v = (unsigned)junk & 1; }"),
    (1, "unwritten array", "{ int junk[2]; junk[0] = $d; l = (unsigned)junk[$v & 1] & 1; }"),
    (1, "unwritten struct", "{ struct pair junk; junk.tag = 1; s2 = junk; l = (unsigned)s2.value & 1; }"),
    (2, "padding", "{ struct pair made; made.tag = 1; made.value = 2; l = ((unsigned char *)&made)[1] & 1; }"),
    (1, "padding", "{ struct pair *made = malloc(sizeof *made); made->tag = 1; made->value = 2; memcpy(&s2, made, sizeof s2); l = ((char *)&s2)[2] & 1; free(made); }"),
    (2, "neighbour of a bit-field", "{ struct bits made; made.hi = $d; l = made.lo & 1; bf.hi = made.hi; }"),
    (1, "neighbour of a bit-field", "{ struct bits *made = malloc(sizeof *made); made->on = 1; l = made->lo & 1; made->lo = 2; k = made->on; free(made); }"),
    (2, "variable length array", "{ int size = 1 + ($v & 1); int many[size]; many[0] = $e; l = many[size - 1] & 1; }"),
    (1, "variable length array", "{ int size = 2; int many[size]; many[1] = $e; l = (unsigned)many[0] & 1; k = many[1]; }"),
    (2, "heap of a length from the execution", "{ unsigned count = 1 + ((unsigned)$v & 3); int *block = malloc(count * sizeof *block); block[0] = $e; block[count - 1] = 1; l = block[0]; free(block); }"),
    (1, "heap of a length from the execution", "{ unsigned count = (unsigned)$v & 1; char *block = calloc(count + 1, 2); block[count] = 1; l = block[2 * count + 1]; free(block); }"),
    (1, "heap of a length from the execution", "{ unsigned count = (unsigned)$v; if (count < 3) { int *block = malloc(count * 4 + 4); block[count] = 2; l = (unsigned)block[0] & 1; free(block); } }"),
    (1, "copy of a length from the execution", "{ char from[4] = { 1, 0, 1, 1 }, to[4] = { 0 }; unsigned count = (unsigned)$v & 3; memcpy(to, from, count); l = to[$d & 3] + to[2]; }"),
    (1, "copy of a length from the execution", "{ int block[3] = { 1, 2, 3 }; unsigned count = (unsigned)$v & 1; memmove(block + 1, block, (count + 1) * sizeof(int)); l = block[2] & 1; k = block[1]; }"),
    (1, "memset of a length from the execution", "{ char block[4] = { 0 }; unsigned count = (unsigned)$v; memset(block, $d, count < 5 ? count : 1); l = block[1] & 1; k = block[3]; }"),
    (1, "alloca", "{ int *many = alloca(8); many[0] = $e; l = (unsigned)many[$v & 1] & 1; }"),
    (1, "union of unwritten bytes", "{ union mixed made; made.half[1] = $d; l = made.byte[0] & 1; }"),
    (1, "pointer as integer", "{ unsigned long where = (unsigned long)&$i; where ^= 3; where = where << 2; l = *(int *)((where >> 2) ^ 3); }"),
    (1, "pointer as integer", "{ long where = (long)ap; l = *(int *)(where + 4 * ($v & 1)); }"),
    (2, "memory function", "memcpy($(&s2, &s, sizeof s$|bytes, &x, 4$|&y, bytes, 2$|&a[0], &a[1], 4$|&nest2, &nest, 8$));"),
    (1, "read by another type", "l = $(*(short *)&x$|*(signed char *)bytes$|*(unsigned short *)&bytes[2]$|*(unsigned char *)&y$|*(int *)bytes$) & 3;"),
    (1, "written by another type", "$(*(signed char *)&x = -1;$|*(short *)bytes = 258;$|*(unsigned char *)&y = 255;$)"),
    (1, "memory function", "memmove($(bytes, bytes + 1, 3$|bytes + 1, bytes, 2$|&a[1], &a[0], 8$));"),
    (1, "memory function", "memset($(bytes, 1, 2$|&s, 0, sizeof s$|&x, 0, 4$|&un, 1, 2$));"),
    (1, "memory function", "l = memcmp($(bytes, &x, 2$|&s, &s2, 1$|&a[0], &a[1], 4$));"),
    (1, "memory function", "$(bzero(bytes, 2);$|l = memchr(bytes, 1, 2) != 0;$|__builtin_memset(bytes, 1, 1);$)"),
    (2, "string", "{ char word[4]; strcpy(word, $(\"a\"$|\"ab\"$|text$)); l = strlen(word); }"),
    (1, "string", "l = $(strlen(text)$|strcmp(text, \"x\")$|strncmp(text, \"xy\", 2)$|strchr(text, 'x') != 0$);"),
    (1, "string", "$(strcpy(text, \"y\");$|strncpy(text, \"zz\", 2);$|text[1] = 0;$)"),
    (1, "string", "{ char *copy = strdup(\"ab\"); strcpy(copy, strcat(strcpy((char[4]){ 0 }, \"c\"), \"\")); l = copy[1]; free(copy); }"),
];

/// Functions of the library that change little: printing, scanning, numbers, attributes.
#[rustfmt::skip]
const SMALL_CHANGE: &[Row] = &[
    (3, "printing", "printf(\"%d\\n\", $e);"),
    (1, "printing", "$(puts(\"a\");$|putchar(65);$|fputs(\"a\", stdout);$|fputc(66, stdout);$|fflush(stdout);$|fprintf(stdout, \"%d\", $e);$)"),
    (1, "printing", "$(say$|tell$)(\"%d %d\", $e, l);"),
    (1, "printing to memory", "{ char line[8]; $(sprintf(line,$|snprintf(line, 3,$|put(line,$|fit(line,$) \"%d\", $e & 7); l = line[0] - 48; }"),
    (1, "printing to shared memory", "$(sprintf(bytes,$|snprintf(bytes, 4,$|put(bytes,$|fit(bytes,$) \"%d\", l & 7);"),
    (1, "scanning", "sscanf(\"1 2\", \"%d %d\", &l, &k);"),
    (1, "scanning", "$(scanf($|fscanf(stdin, $)\"%d\", &l); l = l & 1;"),
    (1, "number function", "l = $(abs($e)$|atoi(\"12\")$|(int)strtol(\"3\", 0, 10)$|toupper('a')$|isdigit('1')$|ffs($e)$|rand() & 1$);"),
    (1, "qsort", "{ int row[2]; row[0] = $e; row[1] = $d; qsort(row, 2, sizeof(int), order); $A{row[0] <= row[1]} }"),
    (1, "sleeping", "$(sleep(1);$|usleep(1);$|sched_yield();$|thrd_yield();$|thrd_sleep(&when, 0);$)"),
    (1, "errno", "*__errno_location() = $d; l = *__errno_location();"),
    (1, "posix_memalign", "{ void *block; posix_memalign(&block, 8, 8); *(int *)block = $d; l = *(int *)block; free(block); }"),
    (1, "cancel state", "$(pthread_atfork(0, 0, 0);$|pthread_setcancelstate(0, 0);$|pthread_setcanceltype(0, &l);$|pthread_testcancel();$)"),
    (1, "scheduling", "$(pthread_setconcurrency(1);$|pthread_setname_np(pthread_self(), \"a\");$|pthread_setschedparam(pthread_self(), 0, &when);$|pthread_setaffinity_np(pthread_self(), 8, &when);$)"),
    (1, "attributes of a condition", "{ pthread_condattr_t how; pthread_condattr_init(&how); $(pthread_condattr_setclock(&how, 0);$|pthread_condattr_setpshared(&how, 0);$) pthread_cond_t fresh; pthread_cond_init(&fresh, &how); pthread_cond_signal(&fresh); pthread_cond_destroy(&fresh); pthread_condattr_destroy(&how); }"),
    (1, "attributes of a read-write lock", "{ pthread_rwlockattr_t how; pthread_rwlockattr_init(&how); $(pthread_rwlockattr_setpshared(&how, 0);$|pthread_rwlockattr_setkind_np(&how, 1);$) pthread_rwlock_t fresh; pthread_rwlock_init(&fresh, &how); pthread_rwlock_rdlock(&fresh); pthread_rwlock_unlock(&fresh); pthread_rwlock_destroy(&fresh); pthread_rwlockattr_destroy(&how); }"),
    (1, "attributes of a barrier", "{ pthread_barrierattr_t how; pthread_barrierattr_init(&how); pthread_barrierattr_setpshared(&how, 0); pthread_barrier_t fresh; pthread_barrier_init(&fresh, &how, 1); l = pthread_barrier_wait(&fresh); pthread_barrier_destroy(&fresh); pthread_barrierattr_destroy(&how); }"),
    (1, "attributes of a mutex", "{ pthread_mutexattr_t how; pthread_mutexattr_init(&how); pthread_mutexattr_settype(&how, $(0$|1$|2$|3$|9$)); pthread_mutexattr_gettype(&how, &l); $(pthread_mutexattr_setpshared(&how, 0);$|pthread_mutexattr_setrobust(&how, 0);$|pthread_mutexattr_setprotocol(&how, 0);$) pthread_mutex_t fresh; pthread_mutex_init(&fresh, &how); pthread_mutex_lock(&fresh); pthread_mutex_unlock(&fresh); pthread_mutex_destroy(&fresh); pthread_mutexattr_destroy(&how); }"),
    (1, "attributes of a thread", "{ pthread_attr_t how; pthread_attr_init(&how); pthread_attr_getdetachstate(&how, &l); $(pthread_attr_setstacksize(&how, 65536);$|pthread_attr_setguardsize(&how, 0);$|pthread_attr_setscope(&how, 0);$|pthread_attr_setschedpolicy(&how, 0);$|pthread_attr_setschedparam(&how, &when);$|pthread_attr_setinheritsched(&how, 0);$) pthread_attr_destroy(&how); }"),
    (1, "value of a semaphore", "sem_getvalue(&sem0, &l);"),
    (1, "lock of one thread alone", "{ pthread_mutex_t fresh; pthread_mutex_init(&fresh, 0); pthread_mutex_lock(&fresh); $v = $e; pthread_mutex_unlock(&fresh); pthread_mutex_destroy(&fresh); }"),
];

/// Statements around others.
#[rustfmt::skip]
const WRAPPERS: &[Row] = &[
    (6, "if", "if ($c) { $B }"),
    (4, "if with else", "if ($c) { $B } else { $B }"),
    (3, "for", "for (int i$n = 0; i$n < 2; i$n++) { $B }"),
    (1, "for with its variable", "for (int i$n = 0; i$n < 2; i$n++) { a[i$n] += $d; $B }"),
    (2, "break and continue", "for (int i$n = 0; i$n < 3; i$n++) { if ($v == i$n) continue; if ($c) break; $B }"),
    (2, "while", "{ int i$n = 0; while (i$n < 2) { i$n++; $B } }"),
    (1, "while on shared memory", "{ int i$n = 0; while ($c && i$n++ < 2) { $B } }"),
    (2, "do", "{ int i$n = 0; do { $B } while (++i$n < 2 && $c); }"),
    (2, "switch", "switch ($e) { case 0: $B break; case 1: $B break; default: l = $d; }"),
    (2, "switch with fallthrough", "switch ($v) { case 1: $B case 0: $B break; case 2: k = 1; default: break; }"),
    (2, "goto forward", "if ($c) goto out$n; $B out$n: ;"),
    (1, "goto backward", "{ int i$n = 0; again$n: ; $B if (++i$n < 2 && $c) goto again$n; }"),
    (1, "goto into a block", "if ($c) goto in$n; if ($c) { $B in$n: l = $d; }"),
    (3, "atomic section", "__VERIFIER_atomic_begin(); $B __VERIFIER_atomic_end();"),
    (4, "guarded block", "$L $B $U"),
    (1, "nested block", "{ int l = $v; $B k = l; }"),
    (1, "cleanup handler", "{ long frame$n[4]; _pthread_cleanup_push(frame$n, clean, &$i); $B _pthread_cleanup_pop(frame$n, $(0$|1$)); }"),
];

/// Ways to be alone: what prepares them, what comes before and after the protected statements.
struct Guard {
    weight: u32,
    feature: &'static str,
    setup: &'static str,
    lock: &'static str,
    unlock: &'static str,
    destroy: &'static str,
}

const fn guard(
    weight: u32,
    feature: &'static str,
    setup: &'static str,
    lock: &'static str,
    unlock: &'static str,
    destroy: &'static str,
) -> Guard {
    Guard { weight, feature, setup, lock, unlock, destroy }
}

#[rustfmt::skip]
const GUARDS: &[Guard] = &[
    guard(6, "static mutex", "", "pthread_mutex_lock(&m0);", "pthread_mutex_unlock(&m0);", "pthread_mutex_destroy(&m0);"),
    guard(2, "static recursive mutex", "", "pthread_mutex_lock(&m1); pthread_mutex_lock(&m1);",
        "pthread_mutex_unlock(&m1); pthread_mutex_unlock(&m1);", "pthread_mutex_destroy(&m1);"),
    guard(2, "static errorcheck mutex", "", "pthread_mutex_lock(&m2);", "l = pthread_mutex_unlock(&m2);", ""),
    guard(2, "errorcheck mutex locked twice", "", "pthread_mutex_lock(&m2); l = pthread_mutex_lock(&m2);",
        "pthread_mutex_unlock(&m2);", ""),
    guard(2, "initialized mutex", "pthread_mutex_init(&m3, 0);", "pthread_mutex_lock(&m3);", "pthread_mutex_unlock(&m3);",
        "pthread_mutex_destroy(&m3);"),
    guard(2, "initialized mutex of a kind",
        "{ pthread_mutexattr_t how; pthread_mutexattr_init(&how); pthread_mutexattr_settype(&how, $(0$|1$|2$|3$)); pthread_mutex_init(&m3, &how); }",
        "pthread_mutex_lock(&m3);", "pthread_mutex_unlock(&m3);", ""),
    guard(2, "trylock", "", "if (pthread_mutex_trylock(&m0) == 0) {", "pthread_mutex_unlock(&m0); }", ""),
    guard(1, "recursive trylock", "", "if (pthread_mutex_trylock(&m1) == 0) { l = pthread_mutex_trylock(&m1);",
        "pthread_mutex_unlock(&m1); pthread_mutex_unlock(&m1); }", ""),
    guard(1, "timedlock", "", "if (pthread_mutex_timedlock(&m0, &when) == 0) {", "pthread_mutex_unlock(&m0); }", ""),
    guard(1, "clocklock", "", "if (!pthread_mutex_clocklock(&m0, 0, &when)) {", "pthread_mutex_unlock(&m0); }", ""),
    guard(2, "write lock", "$(pthread_rwlock_init(&rw, 0);$|$)", "pthread_rwlock_wrlock(&rw);",
        "pthread_rwlock_unlock(&rw);", "pthread_rwlock_destroy(&rw);"),
    guard(1, "write lock tried", "", "if ($(pthread_rwlock_trywrlock(&rw)$|pthread_rwlock_timedwrlock(&rw, &when)$) == 0) {",
        "pthread_rwlock_unlock(&rw); }", ""),
    guard(1, "read lock as guard", "", "pthread_rwlock_rdlock(&rw);", "pthread_rwlock_unlock(&rw);", ""),
    guard(2, "spin lock", "pthread_spin_init(&spin, 0);", "pthread_spin_lock(&spin);", "pthread_spin_unlock(&spin);",
        "pthread_spin_destroy(&spin);"),
    guard(1, "spin trylock", "", "if (pthread_spin_trylock(&spin) == 0) {", "pthread_spin_unlock(&spin); }", ""),
    guard(2, "semaphore as lock", "sem_init(&sem1, 0, 1);", "sem_wait(&sem1);", "sem_post(&sem1);", "sem_destroy(&sem1);"),
    guard(1, "semaphore tried", "sem_init(&sem1, 0, 1);",
        "if ($(sem_trywait(&sem1)$|sem_timedwait(&sem1, &when)$|sem_clockwait(&sem1, 0, &when)$) == 0) {", "sem_post(&sem1); }", ""),
    guard(2, "C11 mutex", "mtx_init(&mx, $(0$|1$|2$));", "mtx_lock(&mx);", "mtx_unlock(&mx);", "mtx_destroy(&mx);"),
    guard(1, "C11 mutex tried", "mtx_init(&mx, 0);", "if ($(mtx_trylock(&mx)$|mtx_timedlock(&mx, &when)$) == 0) {",
        "mtx_unlock(&mx); }", ""),
    guard(3, "section as guard", "", "__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();", ""),
];

/// What several threads do together. `setup` is done before threads start, `finish` after all were joined; every
/// role goes to another function.
struct Idiom {
    weight: u32,
    feature: &'static str,
    setup: &'static str,
    roles: &'static [&'static str],
    finish: &'static str,
}

const fn idiom(
    weight: u32,
    feature: &'static str,
    setup: &'static str,
    roles: &'static [&'static str],
    finish: &'static str,
) -> Idiom {
    Idiom { weight, feature, setup, roles, finish }
}

#[rustfmt::skip]
const IDIOMS: &[Idiom] = &[
    idiom(6, "lost update", "", &["$P{cnt++;}", "$P{cnt++;}"], "$A{cnt == 2}"),
    idiom(4, "mutual exclusion", "", &["$P{in++; $A{in == 1} in--;}", "$P{in++; l = in; in--;} $; $A{l < 2}"], ""),
    idiom(5, "publication", "", &["$(data = 1; $; ready = 1;$|ready = 1; $; data = 1;$)", "if (ready) { $A{data == 1} }"], ""),
    idiom(2, "atomic publication", "",
        &["data = 1; $; __atomic_store_n(&ready, 1, 3);", "if (__atomic_load_n(&ready, 2)) { $A{data == 1} }"], ""),
    idiom(5, "two places together", "",
        &["$P{w1 = 1; w2 = 1;}", "{ int p = 0, q = 0; $P{p = w1; q = w2;} $A{p == q} }"], ""),
    idiom(4, "store buffering", "", &["w1 = 1; $; r1 = w2;", "w2 = 1; $; r2 = w1;"], "$A{r1 $(||$|||$|||$|||$|&&$) r2}"),
    idiom(4, "check then act", "",
        &["$P{if (!taken) { taken = 1; winners++; }}", "$P{if (!taken) { taken = 1; winners++; }}"], "$A{winners == 1}"),
    idiom(3, "condition variable", "$(pthread_cond_init(&cv, 0);$|$)",
        &["pthread_mutex_lock(&m4); $(while$|while$|if$) (!go) pthread_cond_wait(&cv, &m4); $A{go == 1} pthread_mutex_unlock(&m4);",
            "pthread_mutex_lock(&m4); go = 1; pthread_cond_$(signal$|broadcast$)(&cv); pthread_mutex_unlock(&m4);"],
        "$(pthread_cond_destroy(&cv);$|$)"),
    idiom(2, "condition variable with timeout", "",
        &["pthread_mutex_lock(&m4); if (!go) l = $(pthread_cond_timedwait(&cv, &m4, &when)$|pthread_cond_clockwait(&cv, &m4, 0, &when)$); $A{$(l == 110 || go$|go || l >= 0$)} pthread_mutex_unlock(&m4);",
            "$(pthread_mutex_lock(&m4); go = 1; pthread_mutex_unlock(&m4); pthread_cond_signal(&cv);$|go = 1;$)"], ""),
    idiom(1, "condition variable, loop with timeout", "",
        &["pthread_mutex_lock(&m4); while (!go) pthread_cond_timedwait(&cv, &m4, &when); $A{go == 1} pthread_mutex_unlock(&m4);",
            "pthread_mutex_lock(&m4); go = 1; pthread_mutex_unlock(&m4);"], ""),
    idiom(1, "condition variable and a mutex of a kind", "",
        &["pthread_mutex_lock(&m2); while (!go) pthread_cond_wait(&cv, &m2); $A{go == 1} pthread_mutex_unlock(&m2);",
            "pthread_mutex_lock(&m2); go = 1; pthread_cond_signal(&cv); pthread_mutex_unlock(&m2);"], ""),
    idiom(1, "waiting with a recursive lock", "",
        &["pthread_mutex_lock(&m1); $(pthread_mutex_lock(&m1); pthread_mutex_unlock(&m1);$|$) while (!go) pthread_cond_wait(&cv, &m1); w1 = 1; pthread_mutex_unlock(&m1);",
            "pthread_mutex_lock(&m1); go = 1; pthread_cond_broadcast(&cv); l = w1; pthread_mutex_unlock(&m1); $; $A{l == 0}"], ""),
    idiom(1, "two waiters", "",
        &["pthread_mutex_lock(&m4); while (!go) pthread_cond_wait(&cv, &m4); w1 = 1; pthread_mutex_unlock(&m4);",
            "pthread_mutex_lock(&m4); go = 1; pthread_cond_$(signal$|broadcast$)(&cv); pthread_mutex_unlock(&m4);",
            "pthread_mutex_lock(&m4); while (!go) pthread_cond_wait(&cv, &m4); w2 = 1; pthread_mutex_unlock(&m4);"],
        "$A{w1 == w2}"),
    idiom(2, "C11 condition variable", "mtx_init(&my, 0); cnd_init(&cx);",
        &["mtx_lock(&my); $(while (!go) cnd_wait(&cx, &my);$|if (!go) l = cnd_timedwait(&cx, &my, &when);$) $A{$(go == 1$|go || l == 4$|go || l == 4 || l == 0$)} mtx_unlock(&my);",
            "mtx_lock(&my); go = 1; cnd_$(signal$|broadcast$)(&cx); mtx_unlock(&my);"], "cnd_destroy(&cx); mtx_destroy(&my);"),
    idiom(3, "semaphore", "sem_init(&sem0, 0, $(0$|0$|1$));",
        &["data = 1; $; sem_post(&sem0);",
            "$(sem_wait(&sem0); $;$|if (sem_trywait(&sem0) == 0)$|if (sem_timedwait(&sem0, &when) == 0)$) { $A{data == 1} }"],
        "sem_getvalue(&sem0, &l); $A{l < 2} sem_destroy(&sem0);"),
    idiom(3, "barrier", "pthread_barrier_init(&bar, 0, 2);",
        &["w1 = 1; $; pthread_barrier_wait(&bar); $; $A{w2 == 1}",
            "$(w2 = 1; $; l = pthread_barrier_wait(&bar);$|l = pthread_barrier_wait(&bar); w2 = 1;$) $; $A{w1 == 1}"],
        "$(pthread_barrier_destroy(&bar);$|$)"),
    idiom(1, "one thread is last at a barrier", "pthread_barrier_init(&bar, 0, 2);",
        &["r1 = pthread_barrier_wait(&bar);", "r2 = pthread_barrier_wait(&bar);"], "$A{r1 + r2 == -1}"),
    idiom(2, "readers and a writer", "",
        &["pthread_rwlock_wrlock(&rx); w1++; w2++; pthread_rwlock_unlock(&rx);",
            "$(pthread_rwlock_rdlock(&rx); {$|if (pthread_rwlock_tryrdlock(&rx) == 0) {$|if (pthread_rwlock_timedrdlock(&rx, &when) == 0) {$) $A{$(w1 == w2$|w1 == 0$)} pthread_rwlock_unlock(&rx); }"], "pthread_rwlock_destroy(&rx);"),
    idiom(2, "once", "", &["pthread_once(&once, begin_once); $; $A{inits == 1}", "pthread_once(&once, begin_once); $; $A{inits == 1}"],
        "$A{inits == 1}"),
    idiom(1, "C11 once", "", &["call_once(&once2, begin_once); $; $A{inits == 1}", "call_once(&once2, begin_once);"], ""),
    idiom(2, "thread-specific data", "pthread_key_create(&key, $(0$|key_gone$));",
        &["pthread_setspecific(key, (void *)1); $; $A{pthread_getspecific(key) == (void *)1}",
            "$A{pthread_getspecific(key) == 0} $; pthread_setspecific(key, &x);"],
        "$A{gone $(<= 2$|!= 1$)} $(pthread_key_delete(key);$|$)"),
    idiom(1, "C11 thread-specific data", "tss_create(&key, $(0$|key_gone$));",
        &["tss_set(key, (void *)1); $; $A{tss_get(key) == (void *)1}", "$A{tss_get(key) == 0}"], "$A{gone < 2} tss_delete(key);"),
    idiom(3, "published heap", "",
        &["{ struct node *fresh = malloc(sizeof *fresh); $(fresh->value = 1; head = fresh;$|fresh->value = 1; fresh->next = head; head = fresh;$|head = fresh; fresh->value = 1;$) }",
            "{ struct node *found = head; if (found) { $A{(found->value & 1) == 1} } }"], "$(free(head);$|$)"),
    idiom(2, "lock-free push", "",
        &["{ struct node *fresh = malloc(sizeof *fresh); fresh->value = 1; fresh->next = head; if (!__sync_bool_compare_and_swap(&head, fresh->next, fresh)) free(fresh); }",
            "{ struct node *fresh = calloc(1, sizeof *fresh); struct node *old = head; fresh->next = old; $(if (!__atomic_compare_exchange_n(&head, &old, fresh, 0, 5, 5)) fresh->next = old;$|head = fresh;$) }"],
        "$A{head != 0} $(l = 0; for (struct node *each = head; each; each = each->next) l++; $A{l == 2}$|$)"),
    idiom(2, "linked nodes", "",
        &["{ struct node *fresh = malloc(sizeof *fresh); fresh->value = 2; fresh->next = 0; n0.next = fresh; }",
            "if (n0.next) { $A{n0.next->value == 2} n0.next->value = 3; }"], "$A{n0.next->value $(>= 2$|== 3$)}"),
    idiom(2, "unwritten memory of another thread", "",
        &["{ int *fresh = malloc(8); fresh[0] = 1; hp = fresh; }",
            "{ int *found = hp; if (found) { l = (unsigned)found[1] & 1; $A{l == ((unsigned)found[1] & 1)} $($A{l == 0}$|$) } }"], ""),
    idiom(1, "unwritten bytes of another thread", "shared_bytes = malloc(4);",
        &["shared_bytes[1] = 1;", "l = shared_bytes[$(0$|1$)] & 1; $; $A{$(l < 2$|l == 1$)}"], "free(shared_bytes);"),
    idiom(2, "encoded pointer", "",
        &["coded = ((unsigned long)&cnt << 1) ^ 5;",
            "{ unsigned long seen = coded; if (seen) { int *found = (int *)((seen ^ 5) >> 1); *found = 7; } }"], "$A{cnt $(!= 7$|== 0 || cnt == 7$)}"),
    idiom(1, "tagged pointer", "coded = (unsigned long)&cnt;",
        &["coded |= 1;", "{ unsigned long seen = coded; *(int *)(seen & ~1UL) = 1 + (int)(seen & 1); }"], "$A{cnt == $(1$|1 || cnt == 2$)}"),
    idiom(2, "function pointer of another thread", "fp = dec;",
        &["fp = inc;", "r1 = fp(1); $; r2 = fp(1);"], "$A{$(r1 <= r2$|r1 == r2$|r2 == 2$)}"),
    idiom(1, "null function pointer tested", "", &["fp = inc;", "{ int (*seen)(int) = fp; if (seen) { $A{seen(1) == 2} } }"], ""),
    idiom(1, "table of functions of another thread", "", &["table[1] = inc;", "r1 = table[1](1);"], "$A{$(r1 == 0 || r1 == 2$|r1 == 2$)}"),
    idiom(3, "neighbouring bit-fields", "", &["bits1.lo = 3; $; bits1.on = 1;", "bits1.hi = 5; $; bits1.mid = -1;"],
        "$A{bits1.lo == 3 && bits1.hi == 5 && bits1.on && bits1.mid $(< 0$|< 0$|< 0$|== 15$)}"),
    idiom(1, "updated bit-fields", "", &["bits1.lo++;", "bits1.$(lo$|hi$)++;"], "$A{bits1.lo + bits1.hi == 2}"),
    idiom(3, "torn struct", "",
        &["$P{q1 = both(1);}", "{ struct pair seen = { 0, 0 }; $P{seen = q1;} $A{seen.tag == seen.value} }"], ""),
    idiom(1, "union", "", &["un1.word = 257;", "l = un1.byte[0]; $; k = un1.byte[1]; $; $A{$(l <= k$|l == k$)}"], ""),
    idiom(2, "torn bytes", "",
        &["$(memset(buf, 1, 2);$|memcpy(buf, \"\\1\\1\", 2);$|*(short *)buf = 257;$)", "{ char seen[2]; $(memcpy$|memmove$)(seen, buf, 2); $A{seen[0] $(>=$|==$) seen[1]} }"], ""),
    idiom(1, "compared bytes", "", &["memset(buf, 1, 2);", "$A{memcmp(buf, \"\\1\\0\", 2) $(!= 0$|< 9$)}"], ""),
    idiom(2, "string of another thread", "", &["strcpy(text, \"ab\");", "l = $(strlen(text)$|strcmp(text, \"ab\")$); $; $A{l $(!= 0 || 1$|!= 2$|>= 0$)}"], ""),
    idiom(3, "local of another thread", "sem_init(&sem0, 0, 0);",
        &["{ int kept = 1; lp = &kept; sem_post(&sem0); sem_wait(&sem2); $A{kept == 2} }",
            "sem_wait(&sem0); $; *lp = 2; sem_post(&sem2);"], ""),
    idiom(1, "variable length array of another thread", "",
        &["{ int size = 2; int many[size]; many[0] = 1; vp = many; sem_post(&sem0); sem_wait(&sem2); $A{many[0] == 2} }",
            "sem_wait(&sem0); $; l = (unsigned)vp[1] & 1; *vp = 2; sem_post(&sem2);"], ""),
    idiom(2, "compare and swap", "",
        &["{ int old = cnt; __atomic_compare_exchange_n(&cnt, &old, old + 1, 0, 5, 5); }",
            "$(__sync_bool_compare_and_swap(&cnt, 0, 1);$|__sync_fetch_and_add(&cnt, 1);$)"], "$A{cnt $(>= 1$|== 2$)}"),
    idiom(2, "test and set", "",
        &["if (!__atomic_test_and_set(&tas, 5)) { in++; $A{in == 1} in--; __atomic_clear(&tas, 5); }",
            "if (!__atomic_test_and_set(&tas, 5)) { in++; $A{in == 1} in--; __atomic_clear(&tas, 5); }"], ""),
    idiom(1, "lock by compare and swap", "",
        &["if (__sync_bool_compare_and_swap(&busy, 0, 1)) { cnt++; busy = 0; }",
            "if (!__sync_lock_test_and_set(&busy, 1)) { cnt++; __sync_lock_release(&busy); }"], "$A{cnt $(>= 1$|== 2$)}"),
    idiom(1, "ids of threads", "", &["me = pthread_self();", "$A{!pthread_equal(me, pthread_self())}"], ""),
    idiom(1, "C11 ids of threads", "", &["me = thrd_current();", "$A{!thrd_equal(me, thrd_current())}"], ""),
    idiom(1, "thread-local memory", "", &["tl++; $; $A{tl $(== 1$|>= 1$)}", "tl++; $; l = tl;"], ""),
    idiom(1, "exit handler", "atexit(at_end);", &["$P{cnt++;}", "$P{cnt += 1;}"], ""),
    idiom(1, "freed by another thread", "hp = malloc(4); *hp = 1;",
        &["$P{if (hp) { l = *hp; }} $; $A{l < 2}", "$P{{ int *old = hp; hp = 0; free(old); }}"], ""),
    idiom(1, "given out again", "hp = malloc(4); *hp = 1;",
        &["{ int *seen = hp; l = cnt; if ($(hp == seen$|__sync_bool_compare_and_swap(&hp, seen, seen)$)) { $A{l == cnt} } }",
            "$({ int *old = hp; hp = 0; free(old); int *fresh = malloc(4); cnt++; hp = fresh; }$|{ int *old = hp; int *fresh = malloc($(4$|8$)); cnt++; hp = fresh; free(old); }$|free(hp); cnt++; hp = malloc(4);$)"], ""),
    idiom(1, "given out again by another", "",
        &["{ int *own = malloc(4); $(long was = (long)own; free(own); $A{was != (long)hp}$|$A{own != hp} free(own);$) }",
            "{ int *own = malloc(4); $(hp = own; free(own);$|hp = own;$) }"], ""),
    idiom(1, "result of trylock", "",
        &["l = pthread_mutex_trylock(&m5); $; if (l == 0) pthread_mutex_unlock(&m5);",
            "if (pthread_mutex_trylock(&m5) == 0) { pthread_mutex_unlock(&m5); } else { $A{$(1$|0$)} }"], ""),
    idiom(1, "wait in a section", "",
        &["__VERIFIER_atomic_begin(); w1 = 1; pthread_mutex_lock(&m5); w1 = 0; __VERIFIER_atomic_end(); $; pthread_mutex_unlock(&m5);",
            "pthread_mutex_lock(&m5); l = w1; pthread_mutex_unlock(&m5); $; $A{$(l == 0$|w1 == 0$)}"], ""),
    idiom(1, "wait for a semaphore in a section", "sem_init(&sem0, 0, 0);",
        &["__VERIFIER_atomic_begin(); w1 = 1; sem_wait(&sem0); w1 = 2; __VERIFIER_atomic_end();", "sem_post(&sem0); $; $A{w1 != 1}"], ""),
    idiom(1, "lock by assumption", "", &["__VERIFIER_atomic_take(); $; cnt++; busy = 0;", "__VERIFIER_atomic_take(); cnt++; $; busy = 0;"],
        "$A{cnt == 2}"),
];

// ---- what a minority of programs does ----

#[rustfmt::skip]
const MISUSES: &[Idiom] = &[
    idiom(2, "misuse: unlock without lock", "", &["$(pthread_mutex_unlock(&m0);$|pthread_rwlock_unlock(&rw);$|mtx_init(&mx, 0); mtx_unlock(&mx);$)"], ""),
    idiom(2, "misuse: unlock what another holds", "",
        &["pthread_mutex_lock(&m$(0$|5$)); $; pthread_mutex_unlock(&m5);", "pthread_mutex_lock(&m5); $; pthread_mutex_unlock(&m5);"], ""),
    idiom(2, "misuse: spin lock of another", "pthread_spin_init(&spin, 0);",
        &["if (pthread_spin_trylock(&spin)) pthread_spin_unlock(&spin); else pthread_spin_unlock(&spin);",
            "pthread_spin_lock(&spin); $; pthread_spin_unlock(&spin);"], ""),
    idiom(2, "misuse: destroyed while held", "pthread_mutex_init(&m5, 0);",
        &["pthread_mutex_lock(&m5); $; pthread_mutex_unlock(&m5);", "$(if ($c)$|$) pthread_mutex_destroy(&m5);"], ""),
    idiom(1, "misuse: destroyed rwlock or spin lock", "pthread_spin_init(&spin, 0);",
        &["pthread_rwlock_rdlock(&rx); pthread_spin_lock(&spin); pthread_spin_unlock(&spin); pthread_rwlock_unlock(&rx);",
            "$(pthread_rwlock_destroy(&rx);$|pthread_spin_destroy(&spin);$)"], ""),
    idiom(1, "misuse: used after destroy", "pthread_mutex_destroy(&m5);", &["$(if ($c)$|$) $(pthread_mutex_lock(&m5);$|pthread_mutex_trylock(&m5);$)"], ""),
    idiom(1, "misuse: destroyed twice", "", &["$($(pthread_mutex_destroy(&m5);$|pthread_cond_destroy(&cv);$)$|mtx_init(&my, 0); mtx_destroy(&my); mtx_destroy(&my);$)", "pthread_mutex_destroy(&m5); pthread_cond_destroy(&cv);"], ""),
    idiom(2, "misuse: wait without the mutex", "", &["$(pthread_cond_wait(&cv, &m5);$|pthread_cond_timedwait(&cv, &m5, &when);$)", "pthread_mutex_lock(&m5); pthread_cond_signal(&cv); pthread_mutex_unlock(&m5);"], ""),
    idiom(1, "misuse: condition destroyed under a waiter", "", &["pthread_mutex_lock(&m5); pthread_cond_wait(&cv, &m5); pthread_mutex_unlock(&m5);", "pthread_cond_broadcast(&cv); $; pthread_cond_destroy(&cv);"], ""),
    idiom(1, "misuse: destroyed barrier", "pthread_barrier_init(&bar, 0, 2);", &["pthread_barrier_wait(&bar);", "$(pthread_barrier_destroy(&bar);$|pthread_barrier_wait(&bar); $; pthread_barrier_destroy(&bar);$)"], ""),
    idiom(1, "misuse: lock never initialized", "", &["{ pthread_mutex_t *fresh = malloc(sizeof *fresh); if ($c) pthread_mutex_init(fresh, 0); pthread_mutex_lock(fresh); pthread_mutex_unlock(fresh); free(fresh); }"], ""),
    idiom(2, "misuse: joined twice", "", &[], "$(pthread_join(t1, 0);$|pthread_detach(t1); pthread_join(t1, 0);$|pthread_detach(t1); pthread_detach(t1);$)"),
    idiom(1, "misuse: joins itself", "", &["if ($c) pthread_join(pthread_self(), 0);"], ""),
    idiom(1, "misuse: joined by two", "", &["if ($c) pthread_detach(t1);"], ""),
    idiom(1, "misuse: C11 joined twice", "", &[], "thrd_join(t1, $(0$|&code$));"),
];

#[rustfmt::skip]
const UNDEFINED: &[Idiom] = &[
    idiom(2, "undefined: use after free", "hp = malloc(8); hp[0] = 1; hp[1] = 1;", &["l = $(*hp$|hp[1]$); $; $A{l == 1}", "$(if ($c)$|$) free(hp);"], ""),
    idiom(2, "undefined: double free", "hp = malloc(4);", &["free(hp);", "if ($c) free(hp);"], ""),
    idiom(2, "undefined: null pointer", "", &["np = &x;", "$(if ($c)$|$) $(*np = 1;$|l = *np;$)"], ""),
    idiom(1, "undefined: null pointer published", "np = &x;", &["np = 0;", "if (np) *np = 1;"], ""),
    idiom(1, "undefined: printed", "", &["x = $(0$|1$);", "l = x; printf(\"%d\\n\", $(6 / l$|a[l + 2]$));"], ""),
    idiom(1, "undefined: printed", "cp = text;", &["$(if ($c)$|$) cp = 0;", "$(puts(cp);$|printf(\"%d %s\", 1, cp);$|fputs(cp, stdout);$)"], ""),
    idiom(1, "undefined: unused condition", "", &["x = $(0$|1$);", "l = x; if ($(6 / l$|a[l + 2]$|$c && *np$)) $(;$|{ } else { }$)"], ""),
    idiom(1, "undefined: null node", "", &["head = &n0;", "l = head->value;"], ""),
    idiom(2, "undefined: index out of bounds", "", &["x = $(2$|3$);", "$(a[x]$|bytes[x + 1]$|a[x + y]$) = 1;"], ""),
    idiom(1, "undefined: memcpy overlaps", "", &["memcpy(buf, buf + $(1$|2$), 2);", "memcpy(&a[0], &a[$v & 1], $(4$|8$));"], ""),
    idiom(1, "undefined: index out of bounds on the heap", "", &["{ int *block = malloc(8); l = block[$v & 3] & 1; free(block); }"], ""),
    idiom(1, "undefined: index beyond a length from the execution", "", &["{ int *block = malloc((1 + ($v & 1)) * sizeof(int)); block[$v & 1] = 1; l = (unsigned)block[0] & 1; free(block); }"], ""),
    idiom(2, "undefined: index beyond a length of another thread", "hp = malloc(4 + ($v & 1) * 4); hp[0] = 1;", &["l = hp[$(0$|$v & 1$|1$)] & 1;", "$(hp[$v & 1] = $e;$|{ int *more = calloc(1 + ($v & 3), 4); hp = more; }$)"], ""),
    idiom(1, "undefined: copy of too many bytes", "", &["{ char from[3] = { 0 }, to[3] = { 1, 1, 1 }; $(memcpy(to, from, 2 + ($v & 3))$|memset(to, 0, (unsigned)$v & 7)$); l = to[1]; }"], ""),
    idiom(1, "undefined: pointer beyond its array", "", &["ap = a + $d + 1;", "*(ap + 1) = 1;"], ""),
    idiom(4, "undefined: division by zero", "", &["l = $e $(/$|%$) $v;", "$v = 1;"], ""),
    idiom(1, "undefined: dangling local", "", &["{ int kept = 1; lp = &kept; $v = $e; }", "if (lp) l = *lp;"], ""),
    idiom(1, "undefined: loop variable passed", "", &["for (int i = 0; i < 2; i++) { lp = &i; y = 1; }", "if (lp) $A{*lp < 3}"], ""),
    idiom(2, "undefined: null function pointer", "", &["fp = inc;", "$(if ($c)$|$) l = fp(1);"], ""),
    idiom(1, "undefined: freed pointer that was no block", "", &["if ($c) free(ip);"], ""),
    idiom(1, "undefined: unreachable", "", &["if ($c && $c) __builtin_unreachable();"], ""),
    idiom(1, "undefined: string without end", "", &["memset(text, 65, 3);", "$(text[3] = 66;$|$) $; l = strlen(text);"], ""),
    idiom(1, "undefined: realloc of what is used", "hp = malloc(4); *hp = 1;", &["{ int *more = realloc(hp, 8); hp = more; }", "l = *hp; $; $A{l == 1}"], ""),
];

#[rustfmt::skip]
const STOPS: &[Idiom] = &[
    idiom(3, "assume: shared", "", &["__VERIFIER_assume($c);"], ""),
    idiom(1, "assume: false", "", &["$v = $e; $; __VERIFIER_assume(0);"], ""),
    idiom(2, "assume: false in a branch", "", &["if ($c) __VERIFIER_assume(0);"], ""),
    idiom(3, "assume: in a section after a write", "", &["__VERIFIER_atomic_begin(); $v = $e; __VERIFIER_assume($c); $B __VERIFIER_atomic_end();"], ""),
    idiom(1, "assume: first in a section", "", &["__VERIFIER_atomic_begin(); __VERIFIER_assume($c); $B __VERIFIER_atomic_end();"], ""),
    idiom(2, "assume: in an atomic function", "", &["__VERIFIER_atomic_stop();"], ""),
    idiom(2, "assume: on a private value", "", &["l = $v; $; __VERIFIER_assume(l $k $d);"], ""),
    idiom(1, "assume: on an input", "", &["l = __VERIFIER_nondet_bool(); $; __VERIFIER_assume(l $(== 1$|!= x$));"], ""),
    idiom(1, "assume: with a lock held", "", &["$L $v = $e; __VERIFIER_assume($c); $U"], ""),
];

#[rustfmt::skip]
const BLOCKS: &[Idiom] = &[
    idiom(2, "blocks: semaphore nobody posts", "", &["$(if ($c)$|$) sem_wait(&sem2);"], ""),
    idiom(2, "blocks: mutex locked twice", "", &["pthread_mutex_lock(&m6); $; pthread_mutex_lock(&m$(6$|0$));"], ""),
    idiom(1, "blocks: private mutex locked twice", "", &["{ pthread_mutex_t fresh; pthread_mutex_init(&fresh, 0); pthread_mutex_lock(&fresh); if ($c) pthread_mutex_lock(&fresh); pthread_mutex_unlock(&fresh); }"], ""),
    idiom(2, "blocks: barrier nobody reaches", "pthread_barrier_init(&bar, 0, 2);", &["$(if ($c)$|$) pthread_barrier_wait(&bar);"], ""),
    idiom(2, "blocks: wait without signal", "", &["pthread_mutex_lock(&m6); pthread_cond_wait(&cv, &m6); pthread_mutex_unlock(&m6);"], ""),
    idiom(1, "blocks: wait for what never comes", "", &["pthread_mutex_lock(&m6); while (!go) pthread_cond_wait(&cv, &m6); pthread_mutex_unlock(&m6);"], ""),
    idiom(2, "blocks: lock kept", "", &["$(if ($c)$|$) pthread_mutex_lock(&m6);", "pthread_mutex_lock(&m6); $; pthread_mutex_unlock(&m6);"], ""),
    idiom(1, "blocks: spin lock twice", "", &["pthread_spin_lock(&spin); $; if ($c) pthread_spin_lock(&spin);"], ""),
    idiom(1, "blocks: reader becomes writer", "", &["pthread_rwlock_rdlock(&rx); $; pthread_rwlock_wrlock(&rx); pthread_rwlock_unlock(&rx);"], ""),
    idiom(2, "blocks: in a section", "", &["__VERIFIER_atomic_begin(); $v = 1; $(sem_wait(&sem2);$|pthread_mutex_lock(&m6); pthread_mutex_lock(&m6);$) $v = 2; __VERIFIER_atomic_end();"], ""),
    idiom(2, "blocks: crossed locks", "", &["pthread_mutex_lock(&m5); pthread_mutex_lock(&m6); $v = $e; pthread_mutex_unlock(&m6); pthread_mutex_unlock(&m5);", "pthread_mutex_lock(&m6); pthread_mutex_lock(&m5); $v = $e; pthread_mutex_unlock(&m5); pthread_mutex_unlock(&m6);"], ""),
    idiom(1, "blocks: C11 mutex twice", "mtx_init(&my, 0);", &["mtx_lock(&my); $; mtx_lock(&my);"], ""),
];

#[rustfmt::skip]
const ENDS: &[Idiom] = &[
    idiom(5, "ends: abort", "", &["if ($c) $(abort();$|__builtin_trap();$)"], ""),
    idiom(3, "ends: exit", "", &["if ($c) $(exit($d);$|_exit($d);$|exit(0);$)"], ""),
    idiom(1, "ends: exit for sure", "", &["$v = $e; $; exit(0);"], ""),
    idiom(2, "ends: in a section", "", &["__VERIFIER_atomic_begin(); $v = $e; if ($c) $(exit(0);$|abort();$) __VERIFIER_atomic_end();"], ""),
    idiom(1, "ends: in an atomic function", "", &["__VERIFIER_atomic_end_it($d);"], ""),
    idiom(1, "ends: with a lock held", "", &["$L if ($c) exit(0); $U"], ""),
    idiom(1, "ends: exit with handler", "atexit(at_end);", &["cnt = $d + 1; $; if ($c) exit(0);", "cnt = 0;"], ""),
];

/// Beyond what the models can tell: very seldom, because it is no verdict on the program.
const LIMITS: &[Idiom] =
    &[idiom(1, "more keys than there are", "for (int i = 0; i < 33; i++) pthread_key_create(&key, 0);", &[], "")];

// ---- from templates to trees ----

/// Where a statement stands.
#[derive(Clone, Copy)]
struct Scope {
    kind: Kind,
    argument: Argument,
    /// In an atomic section, which is left only at its end.
    section: bool,
    depth: u32,
}

/// What a thread is given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Argument {
    Nothing,
    Number,
    Pointer,
}

struct Maker {
    random: fastrand::Rng,
    /// The places of this program: few, so that threads meet.
    palette: Vec<String>,
    guards: [&'static Guard; 2],
    /// The guard of the idiom that is being written: its roles exclude each other if they use the same one.
    common: Option<&'static Guard>,
    /// The memory of the idioms so far.
    taken: Vec<&'static str>,
    labels: u32,
    features: Vec<&'static str>,
    /// Names that threads share: memory and functions of the library.
    shared: BTreeSet<&'static str>,
}

/// A statement in the making, and the choices that hold for all of its template.
struct Draft {
    parts: Vec<String>,
    branches: Vec<Vec<Node>>,
    label: u32,
    guard: &'static Guard,
}

impl Draft {
    fn write(&mut self, text: &str) {
        self.parts.last_mut().expect("there is always a part").push_str(text);
    }

    /// Is what comes next within an atomic section of this statement?
    fn in_section(&self) -> bool {
        let count = |name: &str| self.parts.iter().map(|part| part.matches(name).count()).sum::<usize>();
        count("__VERIFIER_atomic_begin") > count("__VERIFIER_atomic_end(")
    }
}

fn pick<'a, T>(random: &mut fastrand::Rng, rows: &'a [T], weight: impl Fn(&T) -> u32) -> &'a T {
    let total: u32 = rows.iter().map(&weight).sum();
    let mut left = random.u32(..total);
    rows.iter()
        .find(|row| {
            let found = left < weight(row);
            left = left.saturating_sub(weight(row));
            found
        })
        .expect("the weights were summed up")
}

/// The text up to the end of a group that was just opened, and what follows it.
fn group<'a>(text: &'a str, open: &str, close: &str) -> (&'a str, &'a str) {
    let (mut depth, mut at) = (1, 0);
    loop {
        let rest = &text[at..];
        if let Some(after) = rest.strip_prefix(close) {
            depth -= 1;
            if depth == 0 {
                return (&text[..at], after);
            }
        } else if rest.starts_with(open) {
            depth += 1;
        }
        at += rest.chars().next().unwrap_or_else(|| panic!("`{text}` has no `{close}`")).len_utf8();
    }
}

/// The alternatives of a group, without those of groups within it.
fn alternatives(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, _) in text.match_indices('$') {
        match text[at + 1..].chars().next() {
            Some('(') => depth += 1,
            Some(')') => depth -= 1,
            Some('|') if depth == 0 => {
                found.push(&text[start..at]);
                start = at + 2;
            }
            _ => {}
        }
    }
    found.push(&text[start..]);
    found
}

impl Maker {
    fn new(seed: u64) -> Maker {
        let mut random = fastrand::Rng::with_seed(seed);
        let guards = [0, 1].map(|_| pick(&mut random, GUARDS, |guard| guard.weight));
        let shared = lines(GLOBALS).chain(prototypes()).map(|(name, _)| name).collect();
        let mut maker = Maker {
            random,
            palette: Vec::new(),
            guards,
            common: None,
            taken: Vec::new(),
            labels: 0,
            features: Vec::new(),
            shared,
        };
        for _ in 0..maker.random.u32(2..5) {
            let place = pick(&mut maker.random, PLACES, |row| row.0).2;
            let place = maker.choose(place);
            maker.palette.push(place);
        }
        maker
    }

    fn one_in(&mut self, count: u32) -> bool {
        self.random.u32(..count) == 0
    }

    fn percent(&mut self, share: u32) -> bool {
        self.random.u32(..100) < share
    }

    /// Takes one alternative of every group.
    fn choose(&mut self, template: &str) -> String {
        let Some((before, rest)) = template.split_once("$(") else { return template.to_owned() };
        let (inner, after) = group(rest, "$(", "$)");
        let options = alternatives(inner);
        let chosen = options[self.random.usize(..options.len())];
        let (chosen, after) = (self.choose(chosen), self.choose(after));
        format!("{before}{chosen}{after}")
    }

    /// A row that can stand here.
    fn row(&mut self, rows: &[Row], scope: Scope) -> Row {
        loop {
            let row = *pick(&mut self.random, rows, |row| row.0);
            if allowed(row.2, scope) {
                return row;
            }
        }
    }

    fn node(&mut self, (_, feature, template): Row, scope: Scope) -> Node {
        let text = self.choose(template);
        self.chosen(feature, &text, scope)
    }

    /// The statements of a template that others may come between.
    fn pieces(&mut self, feature: &'static str, template: &str, scope: Scope) -> Vec<Node> {
        let text = self.choose(template);
        let pieces = text.split("$;").map(str::trim).filter(|piece| !piece.is_empty());
        pieces.map(|piece| self.chosen(feature, piece, scope)).collect()
    }

    fn chosen(&mut self, feature: &'static str, text: &str, scope: Scope) -> Node {
        self.labels += 1;
        let any = self.guards[self.random.usize(..2)];
        let guard = if self.one_in(12) { any } else { self.common.unwrap_or(any) };
        let mut draft = Draft { parts: vec![String::new()], branches: Vec::new(), label: self.labels, guard };
        let outer = std::mem::replace(&mut self.features, vec![feature]);
        self.fill(text, scope, &mut draft);
        let features = std::mem::replace(&mut self.features, outer);
        Node { parts: draft.parts, branches: draft.branches, features }
    }

    /// Replaces every `$` of a text whose groups are chosen already.
    fn fill(&mut self, text: &str, scope: Scope, draft: &mut Draft) {
        let Some((before, rest)) = text.split_once('$') else { return draft.write(text) };
        draft.write(before);
        let mut chars = rest.chars();
        let letter = chars.next().expect("a letter follows `$`");
        let mut rest = chars.as_str();
        match letter {
            'B' => self.branch(scope, draft),
            'A' | 'P' => {
                let (inner, after) = group(rest.strip_prefix('{').expect("`{` follows"), "{", "}");
                rest = after;
                self.around(letter, inner, scope, draft);
            }
            'L' | 'U' => self.guard(letter, draft),
            _ => {
                let text = self.placeholder(letter, scope, draft.label);
                draft.write(&text);
            }
        }
        self.fill(rest, scope, draft);
    }

    /// `$B`: statements.
    fn branch(&mut self, scope: Scope, draft: &mut Draft) {
        let section = scope.section || draft.in_section();
        let scope = Scope { section, depth: scope.depth.saturating_sub(1), ..scope };
        let count = if self.one_in(3) { 2 } else { 1 };
        let body = (0..count).map(|_| self.statement(scope)).collect();
        draft.branches.push(body);
        draft.parts.push(String::new());
    }

    /// `$A{condition}`: an assertion in one of its forms; `$P{statements}`: protected, but not always.
    fn around(&mut self, letter: char, inner: &str, scope: Scope, draft: &mut Draft) {
        let (before, after) = match (letter, self.random.u32(..20)) {
            ('A', 0..10) => ("__VERIFIER_assert(", ");"),
            ('A', 10..18) => ("if (!(", ")) reach_error();"),
            ('A', _) => ("if (!(", ")) __assert_fail(\"claim\", \"file\", 1, \"function\");"),
            (_, 0..17) => ("$L ", " $U"),
            _ => ("", ""),
        };
        if letter == 'A' {
            self.features.push("assertion");
        }
        self.fill(before, scope, draft);
        self.fill(inner, scope, draft);
        self.fill(after, scope, draft);
    }

    /// `$L` and `$U`: one of the guards of this program, the same one in all of a template.
    fn guard(&mut self, letter: char, draft: &mut Draft) {
        let guard = draft.guard;
        let text = if letter == 'L' {
            self.features.push(guard.feature);
            guard.lock
        } else {
            guard.unlock
        };
        let text = self.choose(text);
        draft.write(&text);
    }

    /// v: a place of the program, g: one whose address built-ins take, i: one of type `int`; e: an expression,
    /// c: a condition, t: a claim; d: 0 to 2, h: 2 to 6, k: a comparison, n: a number for labels;
    /// a: what the thread was given; R and X: the thread ends, by `return` and by a call.
    fn placeholder(&mut self, letter: char, scope: Scope, label: u32) -> String {
        match letter {
            'v' => self.place(),
            'g' => self.random.choice(WORDS).expect("not empty").to_string(),
            'i' => self.random.choice(INTS).expect("not empty").to_string(),
            'e' => self.phrase(EXPRESSIONS, scope),
            'c' => self.phrase(CONDITIONS, scope),
            't' => self.phrase(CLAIMS, scope),
            'd' => self.random.u32(..3).to_string(),
            'h' => self.random.u32(2..7).to_string(),
            'k' => self.choose("$(==$|!=$|<$|>$|<=$|>=$|==$)"),
            'n' => label.to_string(),
            'a' => self.argument(scope.argument),
            'R' => leave(scope.kind, false).to_owned(),
            'X' => leave(scope.kind, true).to_owned(),
            other => panic!("`${other}` is no placeholder"),
        }
    }

    fn place(&mut self) -> String {
        if self.one_in(8) {
            let row = pick(&mut self.random, PLACES, |row| row.0);
            self.features.push(row.1);
            return self.choose(row.2);
        }
        let place = self.palette[self.random.usize(..self.palette.len())].clone();
        // The features of the palette are those of the rows it came from.
        let words: Vec<&str> = words(&place).collect();
        let same =
            |row: &&Row| row.2 == place || row.2.contains("$(") && words.first() == self::words(row.2).next().as_ref();
        self.features.extend(PLACES.iter().find(same).map(|row| row.1));
        place
    }

    fn argument(&mut self, argument: Argument) -> String {
        match argument {
            Argument::Nothing => "l".to_owned(),
            Argument::Number => "(int)(long)arg".to_owned(),
            Argument::Pointer => "(*(int *)arg)".to_owned(),
        }
    }

    /// An expression or condition; what is within it is smaller.
    fn phrase(&mut self, rows: &[Row], scope: Scope) -> String {
        let row = if scope.depth == 0 && rows.len() == EXPRESSIONS.len() {
            *pick(&mut self.random, &rows[..3], |row| row.0)
        } else {
            *pick(&mut self.random, rows, |row| row.0)
        };
        self.features.push(row.1);
        let text = self.choose(row.2);
        let inner = Scope { depth: scope.depth.saturating_sub(2), ..scope };
        let mut draft = Draft { parts: vec![String::new()], branches: Vec::new(), label: 0, guard: self.guards[0] };
        self.fill(&text, inner, &mut draft);
        draft.parts.concat()
    }

    /// Any statement.
    fn statement(&mut self, scope: Scope) -> Node {
        let tables: [(u32, &[Row]); 5] =
            [(54, STATEMENTS), (18, WRAPPERS), (9, ATOMICS), (14, MEMORY), (10, SMALL_CHANGE)];
        let usable = if scope.depth == 0 { &[tables[0], tables[2], tables[3]][..] } else { &tables[..] };
        let rows = pick(&mut self.random, usable, |table| table.0).1;
        let row = self.row(rows, scope);
        self.node(row, scope)
    }
}

/// Can a template stand here? A thread does not end within a section, and functions do not call themselves.
fn allowed(template: &str, scope: Scope) -> bool {
    let helper = matches!(scope.kind, Kind::Helper | Kind::Atomic);
    let leaves = template.contains("$R") || template.contains("$X");
    !(leaves && (scope.section || helper))
        && !(helper && words(template).any(|word| word == "own" || word == "__VERIFIER_atomic_own"))
        && !(scope.depth == 0 && template.contains("$B"))
}

fn leave(kind: Kind, by_call: bool) -> &'static str {
    match (kind, by_call) {
        (Kind::Posix, false) => "return (void *)1;",
        (Kind::C11 | Kind::Main, false) => "return 1;",
        (Kind::C11, true) => "thrd_exit(2);",
        (Kind::Posix | Kind::Main, true) => "pthread_exit((void *)2);",
        (Kind::Helper | Kind::Atomic, _) => unreachable!("functions do not end threads"),
    }
}

// ---- the shape of a program ----

/// The parts of `main`, and the bodies of all other functions.
struct Plan {
    setup: Vec<Node>,
    creations: Vec<Node>,
    middle: Vec<Node>,
    joins: Vec<Node>,
    finish: Vec<Node>,
    functions: Vec<Function>,
    arguments: Vec<Argument>,
    /// Does `main` wait for every thread?
    all_joined: bool,
}

const START_FUNCTIONS: [(&str, &str); 3] = [("f1", "g1"), ("f2", "g2"), ("f3", "g3")];

fn plain(feature: &'static str, text: String) -> Node {
    Node { parts: vec![text], branches: Vec::new(), features: vec![feature] }
}

pub fn generate(seed: u64) -> Tree {
    let mut maker = Maker::new(seed);
    let threads = pick(&mut maker.random, &[(25, 1), (55, 2), (20, 3)], |share| share.0).1;
    let mut plan = maker.shape(threads);
    maker.own_functions(&mut plan);
    for _ in 0..maker.random.u32(1..4) {
        maker.together(IDIOMS, &mut plan);
    }
    for (share, table) in [(12, MISUSES), (12, UNDEFINED), (13, STOPS), (13, BLOCKS), (11, ENDS)] {
        if maker.percent(share) {
            maker.together(table, &mut plan);
        }
    }
    if maker.one_in(400) {
        maker.together(LIMITS, &mut plan);
    }
    maker.fill_up(&mut plan, threads);
    maker.prepare_guards(&mut plan);
    maker.last_claims(&mut plan);
    maker.assemble(plan)
}

impl Maker {
    /// Functions, creations and joins.
    fn shape(&mut self, threads: usize) -> Plan {
        let mut plan = Plan {
            setup: Vec::new(),
            creations: Vec::new(),
            middle: Vec::new(),
            joins: Vec::new(),
            finish: Vec::new(),
            functions: Vec::new(),
            arguments: Vec::new(),
            all_joined: true,
        };
        for thread in 0..threads {
            let again = thread > 0 && self.percent(15);
            let function = if again { plan.functions.len() - 1 } else { self.start_function(&mut plan) };
            self.thread(thread, function, &mut plan);
        }
        if threads == 1 && self.percent(20) && plan.functions[0].kind == Kind::Posix {
            self.loop_of_threads(&mut plan);
        }
        if plan.functions.len() > 1 && self.percent(6) {
            self.joined_by_sibling(&mut plan);
        }
        plan
    }

    /// The first thread is joined by the last one instead of by `main`.
    fn joined_by_sibling(&mut self, plan: &mut Plan) {
        let Some(at) = plan.joins.iter().position(|join| join.mentions(&["pthread_join"]) && join.mentions(&["t1"]))
        else {
            return;
        };
        let mut join = plan.joins.remove(at);
        join.features.push("joined by a sibling");
        let last = plan.functions.len() - 1;
        self.scatter(vec![join], &mut plan.functions[last].body);
    }

    fn start_function(&mut self, plan: &mut Plan) -> usize {
        let names = START_FUNCTIONS[plan.functions.len()];
        let (kind, name) = if self.percent(15) { (Kind::C11, names.1) } else { (Kind::Posix, names.0) };
        plan.functions.push(Function { name, kind, body: Vec::new() });
        let argument =
            pick(&mut self.random, &[(5, Argument::Nothing), (2, Argument::Number), (3, Argument::Pointer)], |share| {
                share.0
            });
        plan.arguments.push(argument.1);
        plan.functions.len() - 1
    }

    /// Two threads of the first function from a loop, whose variable they may be given.
    fn loop_of_threads(&mut self, plan: &mut Plan) {
        let argument = match plan.arguments[0] {
            Argument::Nothing => "0",
            Argument::Number => "(void *)(long)turn",
            Argument::Pointer => "&turn",
        };
        // One may be joined before the other begins, or never.
        let (between, joins, all_joined) = match self.random.u32(0..8) {
            0..4 => ("", "for (k = 0; k < 2; k++) pthread_join(ts[k], 0);", true),
            4 => ("", "for (k = 1; k >= 0; k--) pthread_join(ts[k], 0);", true),
            5 => ("", "for (unsigned char n = 1; n < 2; n--) pthread_join(ts[n], 0);", true),
            6 => ("", "for (k = 0; k < 1; k++) pthread_join(ts[k], 0);", false),
            _ => (" if (k == 1) pthread_join(ts[0], 0);", "for (k = 1; k < 2; k++) pthread_join(ts[k], 0);", true),
        };
        let create = match (argument, self.percent(50)) {
            ("0", true) => format!("for (k = 0; k < 2; k++) {{{between} pthread_create(&ts[k], 0, f1, 0); }}"),
            _ => {
                let between = between.replace('k', "turn");
                format!("for (turn = 0; turn < 2; turn++) {{{between} pthread_create(&ts[turn], 0, f1, {argument}); }}")
            }
        };
        plan.creations = vec![plain("threads from a loop", create)];
        plan.joins = vec![plain("threads from a loop", joins.to_owned())];
        plan.functions[0].body.clear();
        plan.all_joined = all_joined;
    }

    /// Creates one thread, from `main` or from an earlier thread, and decides who waits for it.
    fn thread(&mut self, thread: usize, function: usize, plan: &mut Plan) {
        let id = format!("t{}", thread + 1);
        let start = plan.functions[function].name;
        let c11 = plan.functions[function].kind == Kind::C11;
        let given = self.given(plan.arguments[function]);
        // A thread must not create itself again: the creator is a function before its own.
        let creator = (function > 0 && self.percent(18)).then(|| self.random.usize(..function));
        let ending = self.random.u32(..100);
        let mut create = match (c11, ending) {
            (true, _) => plain("C11 thread", format!("thrd_create(&{id}, {start}, {given});")),
            (false, 0..7) => plain(
                "created detached",
                format!(
                    "{{ pthread_attr_t how; pthread_attr_init(&how); pthread_attr_setdetachstate(&how, 1); \
                     pthread_create(&{id}, &how, {start}, {given}); }}"
                ),
            ),
            _ => plain("POSIX thread", format!("pthread_create(&{id}, 0, {start}, {given});")),
        };
        let mut waits = match ending {
            0..7 if !c11 => Vec::new(),
            0..13 => vec![plain("detached", format!("{}({id});", if c11 { "thrd_detach" } else { "pthread_detach" }))],
            13..23 => {
                create.features.push("not joined");
                Vec::new()
            }
            _ => vec![self.join(&id, c11)],
        };
        plan.all_joined &= ending >= 23 && creator.is_none();
        match creator {
            None => {
                plan.creations.push(create);
                plan.joins.append(&mut waits);
            }
            Some(creator) => {
                let mut nodes = vec![create];
                nodes.append(&mut waits);
                nodes[0].features.push("nested creation");
                self.scatter(nodes, &mut plan.functions[creator].body);
            }
        }
        if ending >= 96 && !c11 && creator.is_none() {
            plan.functions[function].body.push(plain("detaches itself", "pthread_detach(pthread_self());".to_owned()));
            plan.joins.retain(|join| !join.mentions(&[&id]));
            plan.all_joined = false;
        }
    }

    fn given(&mut self, argument: Argument) -> String {
        match argument {
            Argument::Nothing => "0".to_owned(),
            Argument::Number => format!("(void *){}", self.random.u32(1..4)),
            Argument::Pointer => {
                self.choose("$(&x$|&y$|&a[1]$|&s.value$|&mine$|&mine$|&turn$|calloc(1, sizeof(int))$|ip$)")
            }
        }
    }

    fn join(&mut self, id: &str, c11: bool) -> Node {
        match (c11, self.random.u32(..10)) {
            (true, 0..5) => plain("C11 join", format!("thrd_join({id}, 0);")),
            (true, _) => plain("C11 join with result", format!("thrd_join({id}, &code); l = code;")),
            (false, 0..5) => plain("join", format!("pthread_join({id}, 0);")),
            (false, 5) => plain("join", format!("{{ unsigned long same = {id}; pthread_join(same, 0); }}")),
            (false, 6..8) => plain("join with result", format!("pthread_join({id}, &result); l = (int)(long)result;")),
            (false, _) => {
                let check = format!("pthread_join({id}, &result); $A{{(long)result != {}}}", self.random.u32(1..7));
                self.chosen("result of a join", &check, self.scope(Kind::Main, Argument::Nothing))
            }
        }
    }

    fn scope(&self, kind: Kind, argument: Argument) -> Scope {
        Scope { kind, argument, section: kind == Kind::Atomic, depth: 2 }
    }

    /// Puts statements into others, in their order, at any places.
    fn scatter(&mut self, nodes: Vec<Node>, body: &mut Vec<Node>) {
        let mut least = 0;
        for node in nodes {
            let at = self.random.usize(least..=body.len());
            body.insert(at, node);
            least = at + 1;
        }
    }

    /// The functions with random bodies; they are rendered if somebody calls them.
    fn own_functions(&mut self, plan: &mut Plan) {
        for (name, kind) in [("own", Kind::Helper), ("__VERIFIER_atomic_own", Kind::Atomic)] {
            let scope = Scope { depth: 1, ..self.scope(kind, Argument::Nothing) };
            let body = (0..self.random.u32(1..3)).map(|_| self.statement(scope)).collect();
            plan.functions.push(Function { name, kind, body });
            plan.arguments.push(Argument::Nothing);
        }
    }

    /// An idiom whose memory no other one of the program uses, mostly: else their assertions fail for dull reasons.
    fn separate(&mut self, table: &'static [Idiom]) -> &'static Idiom {
        for _ in 0..8 {
            let idiom = pick(&mut self.random, table, |idiom| idiom.weight);
            let texts = idiom.roles.iter().chain([&idiom.setup, &idiom.finish]);
            let own = lines(GLOBALS).map(|(name, _)| name).filter(|name| !["x", "y", "when"].contains(name));
            let own: Vec<&str> =
                own.filter(|name| texts.clone().any(|text| words(text).any(|word| word == *name))).collect();
            if own.iter().all(|name| !self.taken.contains(name)) || self.one_in(8) {
                self.taken.extend(own);
                return idiom;
            }
        }
        pick(&mut self.random, table, |idiom| idiom.weight)
    }

    /// An idiom: its roles go to different functions as long as there are some.
    fn together(&mut self, table: &'static [Idiom], plan: &mut Plan) {
        let hazard = !std::ptr::eq(table, IDIOMS);
        let idiom = self.separate(table);
        self.common = Some(self.guards[self.random.usize(..2)]);
        let main = self.scope(Kind::Main, Argument::Nothing);
        let setup = self.pieces(idiom.feature, idiom.setup, main);
        plan.setup.extend(setup);
        let threads = plan.functions.iter().filter(|function| matches!(function.kind, Kind::Posix | Kind::C11)).count();
        let mut order: Vec<usize> = (0..threads).collect();
        self.random.shuffle(&mut order);
        // `main` takes part if there are too few others, or now and then.
        let main_at = if self.one_in(5) { 0 } else { threads };
        order.insert(main_at, usize::MAX);
        for (role, function) in idiom.roles.iter().zip(order.iter().cycle()) {
            let Some(function) = plan.functions.get_mut(*function) else {
                let nodes = self.role(idiom.feature, role, hazard, main);
                self.scatter(nodes, &mut plan.middle);
                continue;
            };
            let scope = self.scope(function.kind, Argument::Nothing);
            let nodes = self.role(idiom.feature, role, hazard, scope);
            self.scatter(nodes, &mut function.body);
        }
        let misused = idiom.feature.starts_with("misuse");
        if plan.all_joined || misused || self.one_in(10) {
            let finish = self.role(idiom.feature, idiom.finish, hazard, main);
            plan.finish.extend(finish);
        }
        self.common = None;
    }

    /// The statements of a role. What is wrong for sure hides everything else, so hazards often depend on something.
    fn role(&mut self, feature: &'static str, template: &str, hazard: bool, scope: Scope) -> Vec<Node> {
        let text = self.choose(template);
        if !hazard || text.is_empty() || self.random.bool() {
            return self.pieces(feature, &text, scope);
        }
        let pieces: Vec<String> = text.split("$;").map(|piece| format!("if ($c) {{ {piece} }}")).collect();
        self.pieces(feature, &pieces.join("$;"), scope)
    }

    fn weight(&self, body: &[Node]) -> u32 {
        body.iter().map(|node| node.weight(&self.shared)).sum()
    }

    /// Random statements until every thread has its share of accesses.
    fn fill_up(&mut self, plan: &mut Plan, threads: usize) {
        let most = [0, 28, 18, 10][threads];
        for (function, argument) in plan.functions.iter_mut().zip(&plan.arguments) {
            if matches!(function.kind, Kind::Helper | Kind::Atomic) {
                continue;
            }
            let budget = self.random.u32(most / 2..=most);
            while self.weight(&function.body) < budget {
                let scope = self.scope(function.kind, *argument);
                let node = self.statement(scope);
                self.scatter(vec![node], &mut function.body);
            }
        }
        let main = self.scope(Kind::Main, Argument::Nothing);
        let budget = self.random.u32(..most / 2 + 1);
        while self.weight(&plan.middle) < budget {
            let node = self.statement(main);
            self.scatter(vec![node], &mut plan.middle);
        }
        if self.one_in(3) {
            let place = self.place();
            let value = self.random.u32(1..3);
            let text = match self.random.u32(..4) {
                0 => format!("if (__VERIFIER_nondet_int()) {place} = {value};"),
                1 => format!("a[__VERIFIER_nondet_int() & 1] = {value};"),
                _ => format!("{place} = {value};"),
            };
            plan.setup.push(plain("value before threads start", text));
        }
    }

    fn prepare_guards(&mut self, plan: &mut Plan) {
        let main = self.scope(Kind::Main, Argument::Nothing);
        for guard in self.guards {
            let nodes = self.pieces(guard.feature, guard.setup, main);
            plan.setup.splice(0..0, nodes);
            if plan.all_joined && self.one_in(4) {
                let nodes = self.pieces("destroyed at the end", guard.destroy, main);
                plan.finish.extend(nodes);
            }
        }
        plan.setup.dedup_by(|a, b| a.parts == b.parts);
    }

    fn last_claims(&mut self, plan: &mut Plan) {
        let main = self.scope(Kind::Main, Argument::Nothing);
        for _ in 0..self.random.u32(..3) {
            let claim = self.node((1, "assertion at the end", "$A{$t}"), main);
            plan.finish.insert(0, claim);
        }
    }

    fn assemble(&mut self, plan: Plan) -> Tree {
        let Plan { setup, mut creations, mut middle, joins, finish, mut functions, .. } = plan;
        // Some statements of `main` happen between two creations, but it does not wait for threads that do not exist.
        let later = if self.one_in(3) { creations.split_off(1.min(creations.len())) } else { Vec::new() };
        self.scatter(later, &mut middle);
        middle.splice(0..0, creations);
        let mut body = setup;
        body.append(&mut middle);
        body.extend(joins);
        body.extend(finish);
        if let Some(end) = self.end_of_main() {
            body.push(end);
        }
        for function in &mut functions {
            if let Some(end) = self.end_of_thread(function.kind) {
                function.body.push(end);
            }
        }
        functions.insert(0, Function { name: "main", kind: Kind::Main, body });
        Tree { functions }
    }

    fn end_of_main(&mut self) -> Option<Node> {
        match self.random.u32(..100) {
            0..8 => Some(plain("main ends by pthread_exit", "pthread_exit(0);".to_owned())),
            8..12 => Some(plain("main ends by exit", "exit(0);".to_owned())),
            _ => None,
        }
    }

    fn end_of_thread(&mut self, kind: Kind) -> Option<Node> {
        let template = match kind {
            Kind::Posix => {
                "$(return (void *)(long)l;$|return (void *)1;$|pthread_exit((void *)(long)l);$|return (void *)(long)($v & 3);$)"
            }
            Kind::C11 => "$(return l;$|thrd_exit(l);$|return $v & 3;$)",
            Kind::Main | Kind::Helper | Kind::Atomic => return None,
        };
        let scope = self.scope(kind, Argument::Nothing);
        self.one_in(3).then(|| self.node((1, "result of a thread", template), scope))
    }
}

// ---- from trees to text ----

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// The lines of a table of declarations, with the name that each declares.
fn lines(table: &'static str) -> impl DoubleEndedIterator<Item = (&'static str, &'static str)> {
    table.lines().filter(|line| !line.is_empty()).map(|line| line.split_once(": ").expect("`name: text`"))
}

fn prototypes() -> impl DoubleEndedIterator<Item = (&'static str, &'static str)> {
    PROTOTYPES.lines().filter(|line| !line.is_empty()).map(|line| {
        let (before, _) = line.split_once('(').expect("a prototype");
        (words(before).last().expect("a name"), line)
    })
}

impl Node {
    fn mentions(&self, names: &[&str]) -> bool {
        self.parts.iter().any(|part| words(part).any(|word| names.contains(&word)))
    }

    /// About how many accesses to shared memory it makes.
    fn weight(&self, shared: &BTreeSet<&str>) -> u32 {
        let own: usize = self.parts.iter().map(|part| words(part).filter(|word| shared.contains(word)).count()).sum();
        let within: u32 = self.branches.iter().flatten().map(|node| node.weight(shared)).sum();
        let times = if self.features.iter().any(|feature| LOOPS.contains(feature)) { 2 } else { 1 };
        (own as u32 + within) * times + 1
    }

    fn render(&self, text: &mut String) {
        for (index, part) in self.parts.iter().enumerate() {
            text.push_str(part);
            for node in self.branches.get(index).into_iter().flatten() {
                node.render(text);
                text.push(' ');
            }
        }
    }

    fn count_features(&self, features: &mut Vec<&'static str>) {
        features.extend(&self.features);
        self.branches.iter().flatten().for_each(|node| node.count_features(features));
    }
}

const LOOPS: &[&str] =
    &["for", "for with its variable", "break and continue", "while", "while on shared memory", "do", "goto backward"];

impl Function {
    fn header(&self) -> String {
        match self.kind {
            Kind::Main => "int main(void)".to_owned(),
            Kind::Posix => format!("void *{}(void *arg)", self.name),
            Kind::C11 => format!("int {}(void *arg)", self.name),
            Kind::Helper => "static int own(int *to, int v)".to_owned(),
            Kind::Atomic => "void __VERIFIER_atomic_own(void)".to_owned(),
        }
    }

    fn statements(&self) -> String {
        let mut text = String::new();
        for node in &self.body {
            text.push_str("    ");
            node.render(&mut text);
            text.push('\n');
        }
        text.push_str(match self.kind {
            Kind::Main | Kind::Posix | Kind::C11 => "    return 0;\n",
            Kind::Helper => "    *to = *to + 1;\n    return l + v;\n",
            Kind::Atomic => "",
        });
        text
    }
}

impl Tree {
    /// The functions that the program can reach, with their statements as text.
    fn reachable(&self) -> Vec<(&Function, String)> {
        let mut found = vec![(&self.functions[0], self.functions[0].statements())];
        let mut next = 0;
        while let Some((_, text)) = found.get(next) {
            let mentioned: BTreeSet<String> = words(text).map(str::to_owned).collect();
            for function in &self.functions {
                let known = found.iter().any(|(other, _)| other.name == function.name);
                if !known && mentioned.contains(function.name) {
                    found.push((function, function.statements()));
                }
            }
            next += 1;
        }
        found
    }

    pub fn render(&self) -> Generated {
        let functions = self.reachable();
        let mut bodies = String::new();
        let mut needed: BTreeSet<&str> = BTreeSet::new();
        for (function, text) in functions.iter().rev() {
            let used: BTreeSet<&str> = words(text).collect();
            let elsewhere =
                |name: &str| functions.iter().any(|(f, t)| f.name != function.name && words(t).any(|w| w == name));
            let locals: Vec<(&str, &str)> =
                lines(LOCALS).filter(|(name, _)| used.contains(name) && !(is_id(name) && elsewhere(name))).collect();
            needed.extend(used.iter().filter(|word| !locals.iter().any(|(name, _)| name == *word)));
            bodies += &format!("{} {{\n", function.header());
            locals.iter().for_each(|(_, text)| bodies += &format!("    {text}\n"));
            bodies += &format!("{text}}}\n");
        }
        let text = format!("{}{bodies}", declarations(needed));
        let mut features = Vec::new();
        functions.iter().flat_map(|(function, _)| &function.body).for_each(|node| node.count_features(&mut features));
        features.extend(named_features(&text));
        let caused: Vec<&str> = OPERATIONS
            .iter()
            .filter(|(_, causes)| {
                causes.iter().any(|cause| features.contains(cause) || words(&bodies).any(|word| word == *cause))
            })
            .map(|(operation, _)| *operation)
            .collect();
        features.extend(caused);
        Generated { text, features }
    }
}

fn is_id(name: &str) -> bool {
    ["t1", "t2", "t3", "ts"].contains(&name)
}

/// The declarations of these names and of what they mention; from the last line to the first, since lines mention
/// only those before them.
fn declarations(mut needed: BTreeSet<&str>) -> String {
    let all: Vec<(&'static str, &'static str)> =
        lines(TYPES).chain(prototypes()).chain(lines(GLOBALS)).chain(lines(HELPERS)).collect();
    let mut kept = Vec::new();
    for (name, text) in all.into_iter().rev() {
        if needed.contains(name) {
            needed.extend(words(text));
            kept.push(text);
        }
    }
    kept.iter().rev().map(|text| format!("{text}\n")).collect()
}

/// The names of FEATURES that a text mentions: functions of the library.
fn named_features(text: &str) -> Vec<&'static str> {
    // Every declaration mentions its name once.
    let declared: BTreeSet<&str> = prototypes().map(|(name, _)| name).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    words(text).for_each(|word| *counts.entry(word).or_default() += 1);
    let mut found = Vec::new();
    for name in FEATURES.iter().filter(|name| declared.contains(**name)) {
        let count = counts.get(name).map_or(0, |count| count - 1);
        found.extend(std::iter::repeat_n(*name, count));
    }
    found
}

// ---- smaller programs that fail as well ----

/// Drops threads, statements and branches while `fails` still holds.
pub fn shrink(tree: &Tree, fails: &mut dyn FnMut(&Tree) -> bool) -> Tree {
    let mut smallest = tree.clone();
    loop {
        let before = smallest.size();
        for names in [["f3", "g3", "t3"], ["f2", "g2", "t2"], ["f1", "g1", "t1"]] {
            try_smaller(&mut smallest, |tree| tree.without_names(&names), fails);
        }
        let mut at = 0;
        while at < smallest.size() {
            let dropped = try_smaller(&mut smallest, |tree| tree.edited(at, &|_| Vec::new()), fails);
            let smaller = dropped || try_smaller(&mut smallest, |tree| tree.edited(at, &unwrapped), fails);
            at += usize::from(!smaller);
        }
        if smallest.size() == before {
            return smallest;
        }
    }
}

fn try_smaller(tree: &mut Tree, edit: impl Fn(&Tree) -> Tree, fails: &mut dyn FnMut(&Tree) -> bool) -> bool {
    let candidate = edit(tree);
    let smaller = candidate.size() < tree.size() && fails(&candidate);
    if smaller {
        *tree = candidate;
    }
    smaller
}

/// The statements within a statement, instead of it.
fn unwrapped(node: &Node) -> Vec<Node> {
    if node.branches.is_empty() { vec![node.clone()] } else { node.branches.concat() }
}

fn size(body: &[Node]) -> usize {
    body.iter().map(|node| 1 + node.branches.iter().map(|branch| size(branch)).sum::<usize>()).sum()
}

/// The body with its statement number `at`, counted down to 0, replaced by others.
fn edited(body: &[Node], at: &mut Option<usize>, edit: &dyn Fn(&Node) -> Vec<Node>) -> Vec<Node> {
    let mut result = Vec::new();
    for node in body {
        if *at == Some(0) {
            *at = None;
            result.extend(edit(node));
            continue;
        }
        *at = at.map(|at| at - 1);
        let branches = node.branches.iter().map(|branch| edited(branch, at, edit)).collect();
        result.push(Node { branches, ..node.clone() });
    }
    result
}

fn without_names(body: &[Node], names: &[&str]) -> Vec<Node> {
    let kept = body.iter().filter(|node| !node.mentions(names));
    kept.map(|node| {
        let branches = node.branches.iter().map(|branch| without_names(branch, names)).collect();
        Node { branches, ..node.clone() }
    })
    .collect()
}

impl Tree {
    /// The number of its statements.
    pub fn size(&self) -> usize {
        self.functions.iter().map(|function| size(&function.body)).sum()
    }

    fn edited(&self, at: usize, edit: &dyn Fn(&Node) -> Vec<Node>) -> Tree {
        let mut at = Some(at);
        self.with_bodies(|body| edited(body, &mut at, edit))
    }

    fn without_names(&self, names: &[&str]) -> Tree {
        self.with_bodies(|body| without_names(body, names))
    }

    fn with_bodies(&self, mut change: impl FnMut(&[Node]) -> Vec<Node>) -> Tree {
        let change = |function: &Function| Function { body: change(&function.body), ..function.clone() };
        Tree { functions: self.functions.iter().map(change).collect() }
    }
}

// ---- what must occur ----

/// Which functions and features make a program use an operation of `il/operation.rs`. All of them occur.
const OPERATIONS: &[(&str, &[&str])] = &[
    ("Operation::Create", &["pthread_create"]),
    ("Operation::CreateC11", &["thrd_create"]),
    ("Operation::Join", &["pthread_join"]),
    ("Operation::JoinC11", &["thrd_join"]),
    ("Operation::ThreadExit", &["pthread_exit", "thrd_exit"]),
    ("Operation::ThreadSelf", &["pthread_self", "thrd_current", "pthread_mutex_lock"]),
    ("Operation::Detach", &["pthread_detach", "thrd_detach"]),
    ("Operation::AtomicBegin", &["__VERIFIER_atomic_begin"]),
    ("Operation::AtomicEnd", &["__VERIFIER_atomic_end"]),
    ("Operation::Assume", &["__VERIFIER_assume"]),
    // These five are used by the models of the functions named here, never by a program itself.
    ("Operation::Await", &["pthread_mutex_lock", "sem_wait", "pthread_barrier_wait", "pthread_spin_lock"]),
    ("Operation::AwaitSpurious", &["pthread_cond_wait", "cnd_wait"]),
    ("Operation::Choose", &["pthread_cond_signal", "cnd_signal"]),
    ("Operation::Spurious", &["pthread_cond_timedwait", "pthread_cond_clockwait", "cnd_timedwait"]),
    ("Operation::Misuse", &["misuse: unlock without lock", "misuse: wait without the mutex"]),
    ("Operation::Limit", &["more keys than there are"]),
    ("Operation::Assert", &["__VERIFIER_assert"]),
    ("Operation::AssertFail", &["__assert_fail"]),
    ("Operation::ReachError", &["reach_error"]),
    ("Operation::Nondet", &["__VERIFIER_nondet_bool", "__VERIFIER_nondet_int"]),
    ("Operation::Malloc", &["malloc"]),
    ("Operation::Calloc", &["calloc"]),
    ("Operation::Realloc", &["realloc"]),
    ("Operation::Free", &["free"]),
    ("Operation::Alloca", &["alloca"]),
    ("Operation::Memcpy", &["memcpy"]),
    ("Operation::Memmove", &["memmove"]),
    ("Operation::Memset", &["memset"]),
    ("Operation::Memcmp", &["memcmp"]),
    ("Operation::AddOverflow", &["__builtin_add_overflow"]),
    ("Operation::SubOverflow", &["__builtin_sub_overflow"]),
    ("Operation::MulOverflow", &["__builtin_mul_overflow"]),
    ("Operation::Printf", &["printf"]),
    ("Operation::Fprintf", &["fprintf"]),
    ("Operation::Sprintf", &["sprintf"]),
    ("Operation::Snprintf", &["snprintf"]),
    ("Operation::Vprintf", &["say"]),
    ("Operation::Vfprintf", &["tell"]),
    ("Operation::Vsprintf", &["put"]),
    ("Operation::Vsnprintf", &["fit"]),
    ("Operation::Puts", &["puts"]),
    ("Operation::Putchar", &["putchar"]),
    ("Operation::Fputs", &["fputs"]),
    ("Operation::Fputc", &["fputc"]),
    ("Operation::ScanText", &["sscanf"]),
    ("Operation::ScanStream", &["fscanf"]),
    ("Operation::ScanInput", &["scanf"]),
    ("Operation::Exit", &["exit", "_exit"]),
    ("Operation::Abort", &["abort", "__builtin_trap"]),
    ("Operation::Unreachable", &["__builtin_unreachable"]),
    ("Operation::Fence", &["__sync_synchronize", "__atomic_thread_fence"]),
    ("Operation::Nothing", &["sched_yield", "thrd_yield", "fflush"]),
];

/// Every feature that must occur in a long run: rows of the tables and shapes of programs, functions of the libraries
/// (all that `threads.c` defines among them), operations (all that `il/operation.rs` has: none is left out).
#[rustfmt::skip]
pub const FEATURES: &[&str] = &[
    "int", "array", "array with variable index", "unsigned", "_Bool", "signed char", "unsigned char", "short",
    "unsigned short", "long", "long long", "unsigned long long", "enum", "volatile", "_Atomic", "_Atomic _Bool",
    "struct", "nested struct", "array in struct", "union", "bit-field", "signed bit-field", "_Bool bit-field",
    "pointer to struct", "pointer", "pointer arithmetic", "thread-local", "constant", "read", "local",
    "argument of a thread", "addition", "multiplication", "bit operation", "comparison as value", "logical operator",
    "negation", "shift", "shift by any number of places", "large value", "product", "division", "conditional operator", "conversion", "call", "recursion", "variadic function",
    "static local", "pointer comparison", "pointer difference", "sizeof", "function pointer", "table of functions",
    "compound literal", "comparison", "truth of a value", "comparison of a local", "assertion on shared memory",
    "assertion on two places", "assertion on a local", "assignment", "compound assignment", "compound division",
    "increment", "increment as value", "assignment to a local", "local read twice", "assertion in the middle",
    "comma operator", "struct copy", "struct local", "union copy", "bit-field copy", "pointer moved",
    "parameter by pointer", "function with a random body", "atomic function with a random body", "atomic function",
    "early end of a thread", "early end by a call", "input", "statement expression", "integer as bytes",
    "__atomic_fetch", "__atomic_op_fetch", "__sync_fetch", "__sync_op_fetch", "__atomic_load", "__atomic_store",
    "__atomic_exchange", "generic __atomic_load", "generic __atomic_store", "generic __atomic_exchange",
    "__atomic_compare_exchange", "generic __atomic_compare_exchange", "__sync_compare_and_swap", "__sync_lock",
    "fence", "overflow built-in", "bit built-in", "heap", "heap of a length from the execution", "copy of a length from the execution", "memset of a length from the execution", "calloc", "realloc", "unwritten heap", "unwritten local",
    "unwritten array", "unwritten struct", "padding", "neighbour of a bit-field", "variable length array", "alloca",
    "union of unwritten bytes", "pointer as integer", "memory function", "string", "printing", "printing to memory",
    "printing to shared memory", "scanning", "number function", "qsort", "sleeping", "errno", "posix_memalign",
    "cancel state", "scheduling", "attributes of a condition", "attributes of a read-write lock",
    "attributes of a barrier", "attributes of a mutex", "attributes of a thread", "value of a semaphore",
    "lock of one thread alone", "if", "if with else", "for", "for with its variable", "break and continue", "while",
    "while on shared memory", "do", "switch", "switch with fallthrough", "goto forward", "goto backward",
    "goto into a block", "atomic section", "guarded block", "nested block", "cleanup handler", "static mutex", "static recursive mutex",
    "static errorcheck mutex", "errorcheck mutex locked twice", "initialized mutex", "initialized mutex of a kind",
    "trylock", "recursive trylock", "timedlock", "clocklock", "write lock", "write lock tried", "read lock as guard",
    "spin lock", "spin trylock", "semaphore as lock", "semaphore tried", "C11 mutex", "C11 mutex tried",
    "section as guard", "lost update", "mutual exclusion", "publication", "atomic publication", "two places together",
    "store buffering", "check then act", "condition variable", "condition variable with timeout",
    "condition variable, loop with timeout", "condition variable and a mutex of a kind",
    "waiting with a recursive lock", "two waiters", "C11 condition variable", "semaphore", "barrier",
    "one thread is last at a barrier", "readers and a writer", "once", "C11 once", "thread-specific data",
    "C11 thread-specific data", "published heap", "lock-free push", "linked nodes",
    "unwritten memory of another thread", "unwritten bytes of another thread", "encoded pointer", "tagged pointer",
    "function pointer of another thread", "null function pointer tested", "table of functions of another thread",
    "neighbouring bit-fields", "updated bit-fields", "torn struct", "torn bytes", "compared bytes",
    "string of another thread", "local of another thread", "variable length array of another thread",
    "compare and swap", "test and set", "lock by compare and swap", "ids of threads", "C11 ids of threads",
    "thread-local memory", "exit handler", "freed by another thread", "given out again", "given out again by another", "result of trylock", "wait in a section",
    "wait for a semaphore in a section", "lock by assumption", "misuse: unlock without lock",
    "misuse: unlock what another holds", "misuse: spin lock of another", "misuse: destroyed while held",
    "misuse: destroyed rwlock or spin lock", "misuse: used after destroy", "misuse: destroyed twice",
    "misuse: wait without the mutex", "misuse: condition destroyed under a waiter", "misuse: destroyed barrier",
    "undefined: printed", "undefined: unused condition", "read by another type", "written by another type",
    "return of shared memory", "misuse: lock never initialized", "misuse: joined twice", "misuse: joins itself", "misuse: joined by two",
    "misuse: C11 joined twice", "undefined: use after free", "undefined: double free", "undefined: null pointer",
    "undefined: null pointer published", "undefined: null node", "undefined: index out of bounds",
    "undefined: memcpy overlaps", "undefined: index out of bounds on the heap",
    "undefined: index beyond a length from the execution", "undefined: copy of too many bytes", "undefined: index beyond a length of another thread", "undefined: pointer beyond its array",
    "undefined: division by zero", "undefined: dangling local", "undefined: loop variable passed",
    "undefined: null function pointer", "undefined: freed pointer that was no block", "undefined: unreachable",
    "undefined: string without end", "undefined: realloc of what is used", "assume: shared", "assume: false",
    "assume: false in a branch", "assume: in a section after a write", "assume: first in a section",
    "assume: in an atomic function", "assume: on a private value", "assume: on an input", "assume: with a lock held",
    "blocks: semaphore nobody posts", "blocks: mutex locked twice", "blocks: private mutex locked twice",
    "blocks: barrier nobody reaches", "blocks: wait without signal", "blocks: wait for what never comes",
    "blocks: lock kept", "blocks: spin lock twice", "blocks: reader becomes writer", "blocks: in a section",
    "blocks: crossed locks", "blocks: C11 mutex twice", "ends: abort", "ends: exit", "ends: exit for sure",
    "ends: in a section", "ends: in an atomic function", "ends: with a lock held", "ends: exit with handler",
    "more keys than there are", "assertion", "joined by a sibling", "threads from a loop", "C11 thread",
    "created detached", "POSIX thread", "detached", "not joined", "nested creation", "detaches itself", "C11 join",
    "C11 join with result", "join", "join with result", "result of a join", "value before threads start",
    "destroyed at the end", "assertion at the end", "main ends by pthread_exit", "main ends by exit",
    "result of a thread", "pthread_create", "pthread_join", "pthread_exit", "pthread_self", "pthread_detach",
    "pthread_equal", "thrd_create", "thrd_join", "thrd_exit", "thrd_current", "thrd_detach", "thrd_equal",
    "thrd_sleep", "thrd_yield", "pthread_mutex_init", "pthread_mutex_destroy", "pthread_mutex_lock",
    "pthread_mutex_trylock", "pthread_mutex_timedlock", "pthread_mutex_clocklock", "pthread_mutex_unlock",
    "pthread_mutexattr_init", "pthread_mutexattr_destroy", "pthread_mutexattr_settype", "pthread_mutexattr_gettype",
    "pthread_mutexattr_setpshared", "pthread_mutexattr_setprotocol", "pthread_cond_init", "pthread_cond_destroy",
    "pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait", "pthread_cond_signal",
    "pthread_cond_broadcast", "pthread_condattr_init", "pthread_condattr_destroy", "pthread_condattr_setclock",
    "pthread_condattr_setpshared", "pthread_rwlock_init", "pthread_rwlock_destroy", "pthread_rwlock_rdlock",
    "pthread_rwlock_wrlock", "pthread_rwlock_tryrdlock", "pthread_rwlock_trywrlock", "pthread_rwlock_timedrdlock",
    "pthread_rwlock_timedwrlock", "pthread_rwlock_unlock", "pthread_rwlockattr_init", "pthread_rwlockattr_destroy",
    "pthread_rwlockattr_setpshared", "pthread_rwlockattr_setkind_np", "pthread_barrier_init",
    "pthread_barrier_destroy", "pthread_barrier_wait", "pthread_barrierattr_init", "pthread_barrierattr_destroy",
    "pthread_barrierattr_setpshared", "pthread_spin_init", "pthread_spin_destroy", "pthread_spin_lock",
    "pthread_spin_trylock", "pthread_spin_unlock", "pthread_once", "pthread_key_create", "pthread_key_delete",
    "pthread_setspecific", "pthread_getspecific", "sem_init", "sem_destroy", "sem_wait", "sem_trywait",
    "sem_timedwait", "sem_clockwait", "sem_post", "sem_getvalue", "pthread_attr_init", "pthread_attr_destroy",
    "pthread_attr_setdetachstate", "pthread_attr_getdetachstate", "pthread_attr_setstacksize",
    "pthread_attr_setguardsize", "pthread_attr_setscope", "pthread_attr_setschedpolicy", "pthread_attr_setschedparam",
    "pthread_attr_setinheritsched", "pthread_setconcurrency", "pthread_setname_np", "pthread_setschedparam",
    "pthread_setaffinity_np", "pthread_setcancelstate", "pthread_setcanceltype", "pthread_testcancel", "pthread_atfork", "pthread_mutexattr_setrobust", "_pthread_cleanup_push", "_pthread_cleanup_pop", "mtx_init",
    "mtx_destroy", "mtx_lock", "mtx_trylock", "mtx_timedlock", "mtx_unlock", "cnd_init", "cnd_destroy", "cnd_wait",
    "cnd_timedwait", "cnd_signal", "cnd_broadcast", "tss_create", "tss_delete", "tss_set", "tss_get", "call_once",
    "sched_yield", "__VERIFIER_atomic_begin", "__VERIFIER_atomic_end", "__VERIFIER_assume", "__VERIFIER_assert",
    "reach_error", "__assert_fail", "__VERIFIER_nondet_bool", "__VERIFIER_nondet_int", "malloc", "free", "memcpy",
    "memmove", "memset", "memcmp", "memchr", "bzero", "strlen", "strcpy", "strncpy", "strcat", "strcmp", "strncmp",
    "strchr", "strdup", "printf", "fprintf", "sprintf", "snprintf", "vprintf", "vfprintf", "vsprintf", "vsnprintf",
    "puts", "putchar", "fputs", "fputc", "fflush", "sscanf", "fscanf", "scanf", "exit", "_exit", "abort", "atexit",
    "abs", "atoi", "strtol", "rand", "toupper", "isdigit", "ffs", "sleep", "usleep", "__errno_location",
    "Operation::Create", "Operation::CreateC11", "Operation::Join", "Operation::JoinC11", "Operation::ThreadExit",
    "Operation::ThreadSelf", "Operation::Detach", "Operation::AtomicBegin", "Operation::AtomicEnd",
    "Operation::Assume", "Operation::Await", "Operation::AwaitSpurious", "Operation::Choose", "Operation::Spurious",
    "Operation::Misuse", "Operation::Limit", "Operation::Assert", "Operation::AssertFail", "Operation::ReachError",
    "Operation::Nondet", "Operation::Malloc", "Operation::Calloc", "Operation::Realloc", "Operation::Free",
    "Operation::Alloca", "Operation::Memcpy", "Operation::Memmove", "Operation::Memset", "Operation::Memcmp",
    "Operation::AddOverflow", "Operation::SubOverflow", "Operation::MulOverflow", "Operation::Printf",
    "Operation::Fprintf", "Operation::Sprintf", "Operation::Snprintf", "Operation::Vprintf", "Operation::Vfprintf",
    "Operation::Vsprintf", "Operation::Vsnprintf", "Operation::Puts", "Operation::Putchar", "Operation::Fputs",
    "Operation::Fputc", "Operation::ScanText", "Operation::ScanStream", "Operation::ScanInput", "Operation::Exit",
    "Operation::Abort", "Operation::Unreachable", "Operation::Fence", "Operation::Nothing",
];

// ---- tests ----

/// The functions that the models of threads define for users.
#[cfg(test)]
fn model_functions() -> Vec<&'static str> {
    let text = include_str!("../../src/c/model/threads.c");
    let heads = text.lines().filter(|line| !line.starts_with([' ', '}', '/', '#']) && !line.starts_with("static"));
    let heads = heads.filter(|line| line.contains('{') && line.contains('('));
    // What a function does with its object comes first: `__attribute__((ut_locks)) int ...`.
    let heads = heads.map(|line| match line.strip_prefix("__attribute__((") {
        Some(rest) => rest.split_once(")) ").map_or(line, |(_, head)| head),
        None => line,
    });
    let names = heads.filter_map(|line| words(line.split_once('(')?.0).last());
    names.filter(|name| !name.starts_with("ut_")).collect()
}

#[cfg(test)]
fn operations() -> Vec<String> {
    let text = include_str!("../../src/il/operation.rs");
    let (_, rest) = text.split_once("pub enum Operation {").expect("the enum");
    let (variants, _) = rest.split_once("\n}").expect("its end");
    let variants = variants.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    // Only bounded programs call what is no function; floating point is left to programs of its own.
    let elsewhere = ["WrongCall", "Math"];
    let names = variants.map(|line| line.trim_end_matches(','));
    names.filter(|name| !elsewhere.contains(name)).map(|name| format!("Operation::{name}")).collect()
}

/// The features of all rows.
#[cfg(test)]
fn row_features() -> BTreeSet<&'static str> {
    let rows = [PLACES, EXPRESSIONS, CONDITIONS, CLAIMS, STATEMENTS, ATOMICS, MEMORY, SMALL_CHANGE, WRAPPERS];
    let idioms = [IDIOMS, MISUSES, UNDEFINED, STOPS, BLOCKS, ENDS, LIMITS];
    let rows = rows.into_iter().flatten().map(|row| row.1);
    rows.chain(idioms.into_iter().flatten().map(|idiom| idiom.feature))
        .chain(GUARDS.iter().map(|guard| guard.feature))
        .collect()
}

#[test]
fn the_features_name_everything_that_the_tables_have() {
    let listed: BTreeSet<&str> = FEATURES.iter().copied().collect();
    assert_eq!(listed.len(), FEATURES.len(), "a feature is listed twice");
    let rows = row_features();
    let missing: Vec<&&str> = rows.iter().filter(|name| !listed.contains(**name)).collect();
    assert!(missing.is_empty(), "rows that FEATURES does not list: {missing:?}");
    let missing: Vec<&str> = model_functions().into_iter().filter(|name| !listed.contains(name)).collect();
    assert!(missing.is_empty(), "functions of threads.c that FEATURES does not list: {missing:?}");
    let missing: Vec<String> = operations().into_iter().filter(|name| !listed.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "operations that FEATURES does not list: {missing:?}");
}

#[test]
fn every_operation_and_library_function_occurs() {
    let mut counts: BTreeMap<&str, usize> = FEATURES.iter().map(|name| (*name, 0)).collect();
    for seed in 0..4000 {
        let generated = generate(seed).render();
        if let Err(error) = unthread::read(&format!("seed {seed}"), generated.text.clone(), DataModel::Lp64) {
            panic!("seed {seed}: {}\n{}", error.diagnostic.render(Some(&error.source)), generated.text);
        }
        for feature in generated.features {
            *counts.entry(feature).or_default() += 1;
        }
    }
    let table: Vec<String> = counts.iter().map(|(feature, count)| format!("{count:8} {feature}")).collect();
    report(&table.join("\n"));
    let missing: Vec<&&str> = FEATURES.iter().filter(|name| counts[**name] == 0).collect();
    assert!(missing.is_empty(), "no program has {missing:?}");
    let unlisted: Vec<&&str> = counts.keys().filter(|name| !FEATURES.contains(*name)).collect();
    assert!(unlisted.is_empty(), "FEATURES does not list {unlisted:?}");
}

#[test]
fn shrinking_keeps_what_fails_and_drops_the_rest() {
    for seed in 0..30 {
        let tree = generate(seed);
        assert_eq!(tree.render().text, generate(seed).render().text, "seed {seed} should always give the same program");
        let creates = |tree: &Tree| tree.render().text.contains("_create(&t1");
        if !creates(&tree) {
            continue;
        }
        let mut wrong = None;
        let small = shrink(&tree, &mut |tree| {
            let text = tree.render().text;
            if unthread::read("shrunk", text.clone(), DataModel::Lp64).is_err() {
                wrong = Some(text);
            }
            creates(tree)
        });
        assert!(wrong.is_none(), "seed {seed}: shrinking wrote what cannot be read: {}", wrong.unwrap_or_default());
        assert!(small.size() < 3, "seed {seed} should shrink to the creation alone: {}", small.render().text);
    }
}
