//! The functions of the C library and of POSIX that have a model: each is found, a call of each with the machine's
//! own headers is read without a word, and every function of the model texts stands in the table.

use crate::support::{project, run_limited, scratch, text, unthread};

const HEADERS: &str = "arpa/inet.h ctype.h dirent.h err.h errno.h fcntl.h getopt.h inttypes.h libgen.h \
    locale.h netinet/in.h poll.h pthread.h sched.h search.h signal.h stdio.h stdlib.h string.h strings.h sys/eventfd.h sys/mman.h sys/prctl.h sys/random.h \
    sys/resource.h sys/select.h sys/socket.h sys/stat.h sys/sysinfo.h sys/time.h sys/times.h sys/types.h sys/uio.h \
    sys/utsname.h syslog.h time.h unistd.h utime.h wchar.h wctype.h";

/// What the calls below use.
const SETTING: &str = r#"
char text[8192], *string = text, **end = &string, *words[] = { "program", 0 };
unsigned char bytes[64];
unsigned short state[3];
wchar_t wide[64];
size_t size;
socklen_t length;
FILE *stream;
DIR *folder;
fd_set set;
sigset_t signals;
time_t moment;
struct tm date;
struct stat status;
struct pollfd ready;
struct iovec part;
struct timespec precise;
struct timeval day;
struct tms used;
struct utsname names;
struct rlimit limit;
struct rusage usage;
struct sockaddr address;
struct in_addr internet;
struct option known[1];
cpu_set_t processors;
struct { void *next, *previous; } element;
int compare(const void *a, const void *b) { return 0; }
int compare_with(const void *a, const void *b, void *c) { return 0; }
"#;

/// One call of each function, by file of the models.
const TEXT: &[&str] = &[
    r#"strspn(text, "a")"#,
    r#"strcspn(text, "a")"#,
    r#"strpbrk(text, "a")"#,
    "strchrnul(text, 'a')",
    "index(text, 'a')",
    "rindex(text, 'a')",
    "memrchr(text, 'a', 2)",
    "rawmemchr(text, 0)",
    r#"memmem(text, 2, "a", 1)"#,
    r#"strcasecmp(text, "a")"#,
    r#"strncasecmp(text, "a", 1)"#,
    r#"strcasestr(text, "a")"#,
    r#"strcoll(text, "a")"#,
    r#"bcmp(text, "a", 1)"#,
    r#"stpcpy(text, "a")"#,
    r#"stpncpy(text, "a", 2)"#,
    r#"strxfrm(text, "a", 2)"#,
    r#"memccpy(text, "a", 'a', 2)"#,
    r#"mempcpy(text, "a", 2)"#,
    r#"bcopy("a", text, 2)"#,
    "explicit_bzero(text, 2)",
    r#"swab("ab", text, 2)"#,
    r#"strtok_r(text, "a", &string)"#,
    r#"__strtok_r(text, "a", &string)"#,
    r#"strtok(text, "a")"#,
    r#"strsep(&string, "a")"#,
    "(basename)(text)",
    "__xpg_basename(text)",
    "dirname(text)",
    "(isascii)('a')",
    "(toascii)('a')",
    "(isprint)('a')",
    "(isgraph)('a')",
    "(iscntrl)('a')",
    "(isblank)('a')",
    "(ispunct)('a')",
    "(isxdigit)('a')",
    "iswalnum('a')",
    "iswalpha('a')",
    "iswblank('a')",
    "iswcntrl('a')",
    "iswdigit('a')",
    "iswgraph('a')",
    "iswlower('a')",
    "iswprint('a')",
    "iswpunct('a')",
    "iswspace('a')",
    "iswupper('a')",
    "iswxdigit('a')",
    "towlower('a')",
    "towupper('a')",
    "btowc('a')",
    "wctob('a')",
    "wcslen(wide)",
    "wcsnlen(wide, 2)",
    r#"wcscpy(wide, L"a")"#,
    r#"wcsncpy(wide, L"a", 2)"#,
    r#"wcscat(wide, L"a")"#,
    r#"wcsncat(wide, L"a", 2)"#,
    r#"wcscmp(wide, L"a")"#,
    r#"wcsncmp(wide, L"a", 2)"#,
    "wcschr(wide, 'a')",
    "wcsrchr(wide, 'a')",
    r#"wcsstr(wide, L"a")"#,
    "wcsdup(wide)",
    r#"wmemcpy(wide, L"a", 2)"#,
    r#"wmemmove(wide, L"a", 2)"#,
    "wmemset(wide, 'a', 2)",
    r#"wmemcmp(wide, L"a", 2)"#,
    "wmemchr(wide, 'a', 2)",
    "mbrtowc(wide, text, 2, 0)",
    "mbrlen(text, 2, 0)",
    "mbtowc(wide, text, 2)",
    "mblen(text, 2)",
    "mbsinit(0)",
    "wcrtomb(text, 'a', 0)",
    "wctomb(text, 'a')",
    "mbstowcs(wide, text, 2)",
    "wcstombs(text, wide, 2)",
    "div(7, 2)",
    "ldiv(7, 2)",
    "lldiv(7, 2)",
    "imaxdiv(7, 2)",
    "imaxabs(-7)",
    "strtoimax(text, end, 10)",
    "strtoumax(text, end, 10)",
    "ffsl(8)",
    "ffsll(8)",
    "htonl(1)",
    "ntohl(1)",
    "htons(1)",
    "ntohs(1)",
    "inet_aton(text, &internet)",
    "inet_addr(text)",
    "inet_ntoa(internet)",
    "inet_ntop(AF_INET, &internet, text, 16)",
    "inet_pton(AF_INET, text, &internet)",
    "lfind(text, text, &size, 1, compare)",
    "lsearch(text, text, &size, 1, compare)",
    "qsort_r(text, 2, 1, compare_with, 0)",
    "insque(&element, 0)",
    "remque(&element)",
    "reallocarray(0, 2, 2)",
];

const POSIX: &[&str] = &[
    "open(text, O_RDONLY)",
    "openat(AT_FDCWD, text, O_CREAT, 0600)",
    "creat(text, 0600)",
    "close(0)",
    "read(0, text, 2)",
    "pread(0, text, 2, 0)",
    "write(1, text, 2)",
    "pwrite(1, text, 2, 0)",
    "readv(0, &part, 1)",
    "writev(1, &part, 1)",
    "lseek(0, 0, SEEK_SET)",
    "dup(0)",
    "dup2(0, 1)",
    "dup3(0, 1, 0)",
    "fsync(0)",
    "fdatasync(0)",
    "ftruncate(0, 0)",
    "isatty(0)",
    "fcntl(0, F_GETFL)",
    "access(text, R_OK)",
    "faccessat(AT_FDCWD, text, R_OK, 0)",
    "truncate(text, 0)",
    "unlink(text)",
    "unlinkat(AT_FDCWD, text, 0)",
    "remove(text)",
    "rename(text, text)",
    "link(text, text)",
    "symlink(text, text)",
    "mkdir(text, 0700)",
    "mkdirat(AT_FDCWD, text, 0700)",
    "rmdir(text)",
    "chdir(text)",
    "fchdir(0)",
    "chmod(text, 0600)",
    "fchmod(0, 0600)",
    "chown(text, 0, 0)",
    "fchown(0, 0, 0)",
    "lchown(text, 0, 0)",
    "utime(text, 0)",
    "utimes(text, 0)",
    "sync()",
    "umask(0)",
    "readlink(text, text, 2)",
    "getcwd(text, 2)",
    "get_current_dir_name()",
    "realpath(text, text)",
    "mkstemp(text)",
    "mkdtemp(text)",
    "stat(text, &status)",
    "lstat(text, &status)",
    "fstat(0, &status)",
    "fstatat(AT_FDCWD, text, &status, 0)",
    "opendir(text)",
    "fdopendir(0)",
    "readdir(folder)",
    "rewinddir(folder)",
    "dirfd(folder)",
    "closedir(folder)",
    "poll(&ready, 1, 0)",
    "ppoll(&ready, 1, 0, 0)",
    "select(1, &set, 0, 0, 0)",
    "pselect(1, &set, 0, 0, 0, 0)",
    "socket(AF_INET, SOCK_STREAM, 0)",
    "bind(0, &address, length)",
    "listen(0, 1)",
    "connect(0, &address, length)",
    "shutdown(0, SHUT_RD)",
    "setsockopt(0, SOL_SOCKET, SO_REUSEADDR, text, 4)",
    "accept(0, &address, &length)",
    "accept4(0, &address, &length, 0)",
    "getsockname(0, &address, &length)",
    "getpeername(0, &address, &length)",
    "getsockopt(0, SOL_SOCKET, SO_ERROR, text, &length)",
    "send(0, text, 2, 0)",
    "sendto(0, text, 2, 0, &address, length)",
    "recv(0, text, 2, 0)",
    "recvfrom(0, text, 2, 0, &address, &length)",
    r#"fopen(text, "r")"#,
    r#"fdopen(0, "r")"#,
    "tmpfile()",
    r#"popen(text, "r")"#,
    r#"freopen(text, "r", stream)"#,
    "fclose(stream)",
    "pclose(stream)",
    "fileno(stream)",
    "feof(stream)",
    "ferror(stream)",
    "clearerr(stream)",
    "fseek(stream, 0, SEEK_SET)",
    "fseeko(stream, 0, SEEK_SET)",
    "ftell(stream)",
    "ftello(stream)",
    "rewind(stream)",
    "setvbuf(stream, 0, _IONBF, 0)",
    "setlinebuf(stream)",
    "fgetc(stream)",
    "getc(stream)",
    "getchar()",
    "fgetc_unlocked(stream)",
    "getc_unlocked(stream)",
    "getchar_unlocked()",
    "ungetc('a', stream)",
    "putc_unlocked('a', stream)",
    "fputc_unlocked('a', stream)",
    "putchar_unlocked('a')",
    "fputs_unlocked(text, stream)",
    r#"dprintf(1, "%d", 1)"#,
    "fread(text, 1, 2, stream)",
    "fread_unlocked(text, 1, 2, stream)",
    "fwrite(text, 1, 2, stream)",
    "fwrite_unlocked(text, 1, 2, stream)",
    "fgets(text, 2, stream)",
    "fgets_unlocked(text, 2, stream)",
    "getdelim(&string, &size, 'a', stream)",
    "getline(&string, &size, stream)",
    "difftime(moment, moment)",
    "clock_getres(CLOCK_MONOTONIC, &precise)",
    "clock_settime(CLOCK_REALTIME, &precise)",
    "settimeofday(&day, 0)",
    "times(&used)",
    "localtime_r(&moment, &date)",
    "gmtime_r(&moment, &date)",
    "localtime(&moment)",
    "gmtime(&moment)",
    "mktime(&date)",
    "timelocal(&date)",
    "timegm(&date)",
    "tzset()",
    r#"strftime(text, 2, "%d", &date)"#,
    "asctime_r(&date, text)",
    "asctime(&date)",
    "ctime_r(&moment, text)",
    "ctime(&moment)",
    r#"getenv("A")"#,
    r#"secure_getenv("A")"#,
    r#"setenv("A", text, 1)"#,
    r#"unsetenv("A")"#,
    "putenv(text)",
    "strerror(1)",
    "strerror_r(1, text, 2)",
    "strsignal(1)",
    r#"setlocale(LC_ALL, "")"#,
    "ttyname(0)",
    "ttyname_r(0, text, 2)",
    "getlogin()",
    "getlogin_r(text, 2)",
    "gethostname(text, 2)",
    "getdomainname(text, 2)",
    "uname(&names)",
    "getpid()",
    "gettid()",
    "getppid()",
    "getuid()",
    "geteuid()",
    "getgid()",
    "getegid()",
    "getpgrp()",
    "getpgid(0)",
    "getsid(0)",
    "setsid()",
    "setpgid(0, 0)",
    "getpagesize()",
    "sysconf(_SC_PAGESIZE)",
    "pathconf(text, 0)",
    "fpathconf(0, 0)",
    "get_nprocs()",
    "get_nprocs_conf()",
    "nice(1)",
    "getpriority(PRIO_PROCESS, 0)",
    "setpriority(PRIO_PROCESS, 0, 1)",
    "getrlimit(RLIMIT_CORE, &limit)",
    "setrlimit(RLIMIT_CORE, &limit)",
    "getrusage(RUSAGE_SELF, &usage)",
    "system(text)",
    "sched_getcpu()",
    "sched_get_priority_max(SCHED_FIFO)",
    "sched_get_priority_min(SCHED_FIFO)",
    "sched_setaffinity(0, sizeof processors, &processors)",
    "sched_getaffinity(0, sizeof processors, &processors)",
    "sched_setscheduler(0, SCHED_FIFO, 0)",
    "sched_getscheduler(0)",
    "lrand48()",
    "nrand48(state)",
    "mrand48()",
    "jrand48(state)",
    "srand48(1)",
    "getentropy(text, 2)",
    "getrandom(text, 2, 0)",
    "openlog(text, 0, LOG_USER)",
    r#"syslog(LOG_INFO, "%d", 1)"#,
    "closelog()",
    "setlogmask(0)",
    r#"warn("%d", 1)"#,
    r#"warnx("%d", 1)"#,
    r#"err(1, "%d", 1)"#,
    r#"errx(1, "%d", 1)"#,
    "psignal(1, text)",
    "sigemptyset(&signals)",
    "sigfillset(&signals)",
    "sigaddset(&signals, SIGINT)",
    "sigdelset(&signals, SIGINT)",
    "sigismember(&signals, SIGINT)",
    "sigaction(SIGINT, 0, 0)",
    "signal(SIGINT, SIG_IGN)",
    "raise(0)",
    "kill(1, 0)",
    "pthread_kill(pthread_self(), 0)",
    "sigwait(&signals, &(int){0})",
    "pthread_sigmask(0, &signals, 0)",
    "sigprocmask(0, &signals, 0)",
    "prctl(15, text)",
    "pthread_getname_np(pthread_self(), text, 16)",
    "eventfd(0, 0)",
    "pipe((int[2]){0, 0})",
    "pipe2((int[2]){0, 0}, 0)",
    "mmap(0, 8, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)",
    "munmap(text, 8)",
    "mprotect(text, 8, 3)",
    "madvise(text, 8, 0)",
    "mlock(text, 8)",
    "munlock(text, 8)",
    r#"getopt(1, words, "a")"#,
    r#"getopt_long(1, words, "a", known, 0)"#,
];

/// Functions that the headers of this machine do not declare, or only under conditions.
const OTHER: &[&str] = &[
    "unsigned long strlcpy(char *, const char *, unsigned long); strlcpy(text, \"a\", 2)",
    "unsigned long strlcat(char *, const char *, unsigned long); strlcat(text, \"a\", 2)",
    "int __xstat(int, const char *, struct stat *); __xstat(1, text, &status)",
    "int __lxstat(int, const char *, struct stat *); __lxstat(1, text, &status)",
    "int __fxstat(int, int, struct stat *); __fxstat(1, 0, &status)",
    "int _IO_getc(FILE *); _IO_getc(stream)",
    "int __xpg_strerror_r(int, char *, unsigned long); __xpg_strerror_r(1, text, 2)",
    "void error(int, int, const char *, ...); error(0, 0, text)",
    "unsigned arc4random(void); arc4random()",
    "unsigned arc4random_uniform(unsigned); arc4random_uniform(5)",
    "void arc4random_buf(void *, unsigned long); arc4random_buf(text, 2)",
];

/// The name of the function that an entry calls.
fn name(call: &str) -> &str {
    let call = call.rsplit("; ").next().unwrap_or(call).trim_start_matches('(');
    &call[..call.find(['(', ')']).expect("an entry is a call")]
}

fn entries() -> impl Iterator<Item = &'static str> {
    TEXT.iter().chain(POSIX).chain(OTHER).copied()
}

#[test]
fn every_function_of_the_table_has_a_model() {
    for call in entries() {
        assert!(unthread::c::model::defines(name(call)), "{} should have a model", name(call));
        // Whatever else begins like this belongs to the thread library, and cannot be ignored.
        let of_threads = name(call).starts_with("pthread_");
        assert!(of_threads || !unthread::il::operation::must_not_be_ignored(name(call)), "{} has a model", name(call));
    }
}

#[test]
fn every_model_stands_in_the_table() {
    for file in ["text.c", "posix.c"] {
        let source = std::fs::read_to_string(project().join("src/c/model").join(file)).expect("there are models");
        for line in source.lines().filter(|line| line.ends_with('{') || line.ends_with('}')) {
            let starts = line.starts_with(|c: char| c.is_ascii_lowercase() || c == '_');
            let Some((head, _)) = line.split_once('(') else { continue };
            let function = head.rsplit([' ', '*']).next().unwrap_or(head);
            if !starts || line.starts_with("static") || function.is_empty() || function.starts_with("ut_") {
                continue;
            }
            assert!(entries().any(|call| name(call) == function), "{function} of {file} should stand in the table");
        }
    }
}

/// Each function is called by one function, so that a message names its line.
#[test]
fn a_call_of_every_function_is_read_without_a_word() {
    let mut program = "#define _GNU_SOURCE\n".to_owned();
    for header in HEADERS.split_whitespace() {
        program.push_str(&format!("#include <{header}>\n"));
    }
    // <libgen.h> gives basename() another name.
    program.push_str("#undef basename\nchar *basename(const char *);\n");
    program.push_str(SETTING);
    program.push_str("int main(void) {\n");
    for call in entries() {
        program.push_str(&format!("    {{ {call}; }}\n"));
    }
    program.push_str("    return 0;\n}\n");
    let folder = scratch("library");
    let file = folder.join("all.c");
    std::fs::write(&file, program).expect("the program can be written");
    let output = run_limited(unthread().arg("show").arg(&file), 60).expect("reading ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
}

/// Without headers, so that it needs none for a machine with 32 bits.
#[test]
fn structs_fit_a_machine_with_32_bits() {
    let program = r#"
        typedef struct { int quot, rem; } div_t;
        typedef struct { long quot, rem; } ldiv_t;
        struct tm { int sec, min, hour, mday, mon, year, wday, yday, isdst; long offset; const char *zone; };
        struct pollfd { int fd; short events, revents; };
        extern div_t div(int, int);
        extern ldiv_t ldiv(long, long);
        extern struct tm *gmtime_r(const long *, struct tm *);
        extern int poll(struct pollfd *, unsigned long, int);
        extern int stat(const char *, void *);
        extern void __assert_fail(const char *, const char *, unsigned, const char *);
        #define assert(x) ((x) ? (void)0 : __assert_fail(#x, "", 0, ""))
        int main(void) {
            div_t d = div(17, 5);
            ldiv_t l = ldiv(-17, 5);
            assert(d.quot == 3 && d.rem == 2 && l.quot == -3 && l.rem == -2);
            struct { struct tm tm; int behind; } t;
            t.behind = 7;
            long now = 0;
            if (gmtime_r(&now, &t.tm)) assert(t.tm.mon >= 0 && t.tm.mon < 12 && t.tm.isdst == 0);
            struct { struct pollfd one; int behind; } p = { { 1, 1, 5 }, 7 };
            if (poll(&p.one, 1, 0) == 0) assert(p.one.revents == 0);
            struct { char bytes[88]; int behind; } s;
            s.behind = 7;
            stat("", s.bytes);
            assert(p.behind == 7 && t.behind == 7 && s.behind == 7);
            return 0;
        }
    "#;
    let folder = scratch("library");
    let file = folder.join("small.c");
    std::fs::write(&file, program).expect("the program can be written");
    let preprocessed = folder.join("small.i");
    let made = std::process::Command::new("cc").args(["-E", "-o"]).args([&preprocessed, &file]).status();
    assert!(made.is_ok_and(|status| status.success()), "cc should preprocess");
    let output = run_limited(unthread().args(["run", "--32", "--all"]).arg(&preprocessed), 60).expect("it ends");
    assert!(output.status.success(), "{}", text(&output.stderr));
}

/// `int f()` would be a wrong guess: its result is twice as wide.
#[test]
fn functions_with_types_that_are_not_supported_are_refused() {
    let file = scratch("library").join("wide.i");
    std::fs::write(&file, "__int128 f(void);\nint main(void) { return f() > 0; }\n").expect("it can be written");
    let output = run_limited(unthread().arg("show").arg(&file), 60).expect("reading ends");
    let message = text(&output.stderr);
    assert!(output.status.code() == Some(2) && message.contains("__int128"), "{message}");
}
