/* Files, descriptors, streams, time, the environment and the process: what the world outside may answer.
 *
 * A function gives any result that POSIX and C allow, and writes any content where it may write. What the world
 * answered before is not remembered, except where a program may rely on it: the process has one id, a variable of
 * the environment keeps its value, and a monotonic clock does not go back. Memory that is only handed on to the
 * system is looked at in its first and last byte. No signal arrives from outside: handlers run where the program raises
 * one, and interrupt nothing. */

typedef __typeof__(sizeof 0) ut_size;
typedef struct ut_any_result ut_result;

_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
unsigned short __VERIFIER_nondet_ushort(void);
int __VERIFIER_nondet_int(void);
unsigned long __VERIFIER_nondet_ulong(void);
ut_size __VERIFIER_nondet_size_t(void);

/* ---- what several of them need ---- */

static int ut_error(void) {
    int error = __VERIFIER_nondet_int();
    __VERIFIER_assume(error > 0);
    return error;
}
static int ut_fail(void) {
    *__errno_location() = ut_error();
    return -1;
}
/* 0 or failure */
static int ut_try(void) { return __VERIFIER_nondet_bool() ? ut_fail() : 0; }
/* a number that is not negative, or failure */
static int ut_try_number(void) {
    if (__VERIFIER_nondet_bool()) return ut_fail();
    int number = __VERIFIER_nondet_int();
    __VERIFIER_assume(number >= 0);
    return number;
}
static long ut_try_long(void) {
    if (__VERIFIER_nondet_bool()) return ut_fail();
    long number = __VERIFIER_nondet_long();
    __VERIFIER_assume(number >= 0);
    return number;
}
static ut_size ut_up_to(ut_size most) {
    ut_size number = __VERIFIER_nondet_size_t();
    __VERIFIER_assume(number <= most);
    return number;
}
static int ut_between(int low, int high) {
    int number = __VERIFIER_nondet_int();
    __VERIFIER_assume(number >= low && number <= high);
    return number;
}
/* Any bytes in the first `used` of `n`. */
static void ut_fill(void *to, ut_size n, ut_size used) {
    char *p = to;
    for (ut_size i = 0; i < n && i < used; i++) p[i] = __VERIFIER_nondet_char();
}
static void ut_look(void *from, ut_size n) {
    char *p = from;
    if (n > 0) {
        char first = p[0];
        char last = p[n - 1];
    }
}
/* Any text of this length, with its end; `most` is a length that it cannot exceed. */
static void ut_put_text(char *to, ut_size length, ut_size most) {
    for (ut_size i = 0; i < most && i < length; i++) {
        char c = __VERIFIER_nondet_char();
        __VERIFIER_assume(c != 0);
        to[i] = c;
    }
    to[length] = 0;
}
/* Any text that fits. */
static char *ut_any_text(char *to, ut_size size) {
    ut_put_text(to, ut_up_to(size - 1), size - 1);
    return to;
}
/* Memory of a size that the execution decides; every iteration knows the size that it asks for. */
static void *ut_allocate(ut_size size) {
    for (ut_size i = 1;; i++)
        if (i == size) return malloc(i);
}
static char *ut_new_text(void) {
    ut_size length = ut_up_to((~(ut_size)0 >> 1) - 1);
    char *text = ut_allocate(length + 1);
    ut_put_text(text, length, length);
    return text;
}

/* ---- descriptors ---- */

int open(char *path, int flags, ...) { return ut_try_number(); }
int openat(int folder, char *path, int flags, ...) { return ut_try_number(); }
int creat(char *path, unsigned mode) { return ut_try_number(); }
int close(int file) { return ut_try(); }
long read(int file, void *to, ut_size n) {
    if (__VERIFIER_nondet_bool()) return ut_fail();
    ut_size got = ut_up_to(n);
    ut_fill(to, n, got);
    return (long)got;
}
long pread(int file, void *to, ut_size n, long offset) { return read(file, to, n); }
long write(int file, void *from, ut_size n) {
    ut_look(from, n);
    return __VERIFIER_nondet_bool() ? ut_fail() : (long)ut_up_to(n);
}
long pwrite(int file, void *from, ut_size n, long offset) { return write(file, from, n); }
struct ut_part { void *base; ut_size length; };
long readv(int file, struct ut_part *parts, int count) {
    long total = 0;
    if (__VERIFIER_nondet_bool()) return ut_fail();
    for (int i = 0; i < count; i++) {
        ut_size length = parts[i].length;
        ut_size got = ut_up_to(length);
        ut_fill(parts[i].base, length, got);
        total += (long)got;
        if (got < length) break;
    }
    return total;
}
long writev(int file, struct ut_part *parts, int count) {
    ut_size total = 0;
    for (int i = 0; i < count; i++) {
        ut_look(parts[i].base, parts[i].length);
        total += parts[i].length;
    }
    return __VERIFIER_nondet_bool() ? ut_fail() : (long)ut_up_to(total);
}
long lseek(int file, long offset, int from) { return ut_try_long(); }
int dup(int file) { return ut_try_number(); }
int dup2(int file, int wanted) { return __VERIFIER_nondet_bool() ? ut_fail() : wanted; }
int dup3(int file, int wanted, int flags) { return __VERIFIER_nondet_bool() ? ut_fail() : wanted; }
int fsync(int file) { return ut_try(); }
int fdatasync(int file) { return ut_try(); }
int ftruncate(int file, long length) { return ut_try(); }
int isatty(int file) {
    if (!__VERIFIER_nondet_bool()) return 1;
    ut_fail();
    return 0;
}
/* Locks of a process do not keep its threads from each other; those of open files do. */
int fcntl(int file, int command, ...) {
    if (command == 5 || command == 12 || (command >= 36 && command <= 38))
        __unthread_limit("fcntl() that asks for locks, or locks open files");
    return ut_try_number();
}

/* ---- names of files ---- */

int access(char *path, int mode) { return ut_try(); }
int faccessat(int folder, char *path, int mode, int flags) { return ut_try(); }
int truncate(char *path, long length) { return ut_try(); }
int unlink(char *path) { return ut_try(); }
int unlinkat(int folder, char *path, int flags) { return ut_try(); }
int remove(char *path) { return ut_try(); }
int rename(char *from, char *to) { return ut_try(); }
int link(char *from, char *to) { return ut_try(); }
int symlink(char *from, char *to) { return ut_try(); }
int mkdir(char *path, unsigned mode) { return ut_try(); }
int mkdirat(int folder, char *path, unsigned mode) { return ut_try(); }
int rmdir(char *path) { return ut_try(); }
int chdir(char *path) { return ut_try(); }
int fchdir(int file) { return ut_try(); }
int chmod(char *path, unsigned mode) { return ut_try(); }
int fchmod(int file, unsigned mode) { return ut_try(); }
int chown(char *path, unsigned owner, unsigned group) { return ut_try(); }
int fchown(int file, unsigned owner, unsigned group) { return ut_try(); }
int lchown(char *path, unsigned owner, unsigned group) { return ut_try(); }
int utime(char *path, void *times) { return ut_try(); }
int utimes(char *path, void *times) { return ut_try(); }
void sync(void) {}
unsigned umask(unsigned mask) { return __VERIFIER_nondet_uint() & 0777; }
long readlink(char *path, char *to, ut_size n) { return read(0, to, n); }
char *getcwd(char *to, ut_size n) {
    if ((to && n == 0) || __VERIFIER_nondet_bool()) {
        ut_fail();
        return 0;
    }
    if (n == 0) return ut_new_text();
    return ut_any_text(to ? to : malloc(n), n);
}
char *get_current_dir_name(void) {
    if (!__VERIFIER_nondet_bool()) return ut_new_text();
    ut_fail();
    return 0;
}
enum { UT_PATH = 4096 };
char *realpath(char *path, char *to) {
    if (__VERIFIER_nondet_bool()) {
        ut_fail();
        return 0;
    }
    return to ? ut_any_text(to, UT_PATH) : ut_new_text();
}
/* The six X at the end become other characters, even if no file is made. */
static void ut_unique(char *name) {
    ut_size n = strlen(name);
    for (ut_size i = 1; i <= 6 && i <= n && name[n - i] == 'X'; i++) {
        char c = __VERIFIER_nondet_char();
        __VERIFIER_assume((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
        name[n - i] = c;
    }
}
int mkstemp(char *name) {
    ut_unique(name);
    return ut_try_number();
}
char *mkdtemp(char *name) {
    ut_unique(name);
    if (!__VERIFIER_nondet_bool()) return name;
    ut_fail();
    return 0;
}

/* Layout of `struct stat`: that of machines with 64 and with 32 bits. */
struct ut_stat_64 {
    unsigned long device, serial, links;
    unsigned mode, owner, group, gap;
    unsigned long special;
    long size, block, blocks;
    struct ut_time access, modification, change;
    long reserved[3];
};
struct ut_stat_32 {
    unsigned long long device;
    unsigned short gap;
    unsigned long serial;
    unsigned mode, links, owner, group;
    unsigned long long special;
    unsigned short other_gap;
    long size, block, blocks;
    struct ut_time access, modification, change;
    unsigned long reserved[2];
};
unsigned long long __VERIFIER_nondet_ulonglong(void);
static long ut_any_length(void) {
    long length = __VERIFIER_nondet_long();
    __VERIFIER_assume(length >= 0);
    return length;
}
/* A fraction of a second that some of the bits decide. */
static long ut_fraction(unsigned long long bits) {
    __VERIFIER_assume((bits & 0x3fffffff) < 1000000000);
    return (long)(bits & 0x3fffffff);
}
struct ut_stat_64 __VERIFIER_nondet_stat_64(void);
struct ut_stat_32 __VERIFIER_nondet_stat_32(void);
static int ut_stat(void *to) {
    if (__VERIFIER_nondet_bool()) return ut_fail();
    long size = ut_any_length(), blocks = ut_any_length();
    unsigned long long bits = __VERIFIER_nondet_ulonglong(), more = __VERIFIER_nondet_ulonglong();
    long first = ut_fraction(bits), second = ut_fraction(bits >> 30), third = ut_fraction(more);
    long block = 1 + (long)(more >> 30 & 0x3fffffff);
    if (sizeof(long) == 8) {
        struct ut_stat_64 *s = to;
        *s = __VERIFIER_nondet_stat_64();
        s->size = size;
        s->block = block;
        s->blocks = blocks;
        s->access.fraction = first;
        s->modification.fraction = second;
        s->change.fraction = third;
    } else {
        struct ut_stat_32 *s = to;
        *s = __VERIFIER_nondet_stat_32();
        s->size = size;
        s->block = block;
        s->blocks = blocks;
        s->access.fraction = first;
        s->modification.fraction = second;
        s->change.fraction = third;
    }
    return 0;
}
int stat(char *path, void *to) { return ut_stat(to); }
int lstat(char *path, void *to) { return ut_stat(to); }
int fstat(int file, void *to) { return ut_stat(to); }
int fstatat(int folder, char *path, void *to, int flags) { return ut_stat(to); }
int __xstat(int version, char *path, void *to) { return ut_stat(to); }
int __lxstat(int version, char *path, void *to) { return ut_stat(to); }
int __fxstat(int version, int file, void *to) { return ut_stat(to); }

/* A folder is read into one entry per stream. */
struct ut_entry { unsigned long serial; long offset; unsigned short length; unsigned char type; char name[256]; };
struct ut_folder { struct ut_entry entry; };
struct ut_entry __VERIFIER_nondet_entry(void);
struct ut_folder *opendir(char *path) {
    if (!__VERIFIER_nondet_bool()) return malloc(sizeof(struct ut_folder));
    ut_fail();
    return 0;
}
struct ut_folder *fdopendir(int file) { return opendir(0); }
struct ut_entry *readdir(struct ut_folder *folder) {
    struct ut_entry *entry = &folder->entry;
    if (__VERIFIER_nondet_bool()) {
        if (__VERIFIER_nondet_bool()) ut_fail();
        return 0;
    }
    *entry = __VERIFIER_nondet_entry();
    ut_put_text(entry->name, 1 + ut_up_to(sizeof entry->name - 2), sizeof entry->name - 1);
    return entry;
}
void rewinddir(struct ut_folder *folder) {}
int dirfd(struct ut_folder *folder) { return ut_try_number(); }
int closedir(struct ut_folder *folder) {
    free(folder);
    return ut_try();
}

/* ---- waiting for descriptors ---- */

struct ut_poll { int file; short events; short happened; };
int poll(struct ut_poll *files, unsigned long count, int timeout) {
    int ready = 0;
    if (__VERIFIER_nondet_bool()) return ut_fail();
    for (unsigned long i = 0; i < count; i++) {
        short happened = 0;
        /* what was asked for, and errors (8), hang-ups (16) and wrong descriptors (32) */
        if (files[i].file >= 0) happened = (short)(__VERIFIER_nondet_ushort() & ((unsigned short)files[i].events | 56));
        files[i].happened = happened;
        if (happened) ready++;
    }
    if (timeout < 0) __VERIFIER_assume(ready > 0);
    return ready;
}
int ppoll(struct ut_poll *files, unsigned long count, struct ut_time *timeout, void *mask) {
    return poll(files, count, timeout ? 0 : -1);
}

static int ut_select(unsigned long *set, int file) {
    int bits = 8 * (int)sizeof *set;
    unsigned long bit = 1UL << file % bits;
    if (!set || !(set[file / bits] & bit)) return 0;
    if (__VERIFIER_nondet_bool()) return 1;
    set[file / bits] = set[file / bits] & ~bit;
    return 0;
}
int pselect(
    int count, unsigned long *reading, unsigned long *writing, unsigned long *other, void *timeout, void *mask) {
    int ready = 0;
    if (count < 0 || count > 1024 || __VERIFIER_nondet_bool()) return ut_fail();
    for (int file = 0; file < count; file++) {
        ready += ut_select(reading, file);
        ready += ut_select(writing, file);
        ready += ut_select(other, file);
    }
    if (!timeout) __VERIFIER_assume(ready > 0);
    return ready;
}
/* What is left of the time may be written back. */
int select(int count, unsigned long *reading, unsigned long *writing, unsigned long *other, struct ut_time *timeout) {
    if (timeout && __VERIFIER_nondet_bool()) {
        timeout->seconds = ut_any_length();
        timeout->fraction = ut_between(0, 999999);
    }
    return pselect(count, reading, writing, other, timeout, 0);
}

/* ---- sockets ---- */

int socket(int domain, int type, int protocol) { return ut_try_number(); }
int eventfd(unsigned value, int flags) { return ut_try_number(); }
int pipe(int *ends) {
    if (__VERIFIER_nondet_bool()) return ut_fail();
    ends[0] = ut_between(0, 0x7fffffff);
    ends[1] = ut_between(0, 0x7fffffff);
    __VERIFIER_assume(ends[0] != ends[1]);
    return 0;
}
int pipe2(int *ends, int flags) { return pipe(ends); }

/* Memory that is mapped is memory of the heap; that of a file holds anything. What a process shares with others is not
 * modelled, nor are maps that overlap, or parts of one. */
enum { UT_MAPS = 16 };
static void *ut_map[UT_MAPS];
static ut_size ut_map_size[UT_MAPS];
void *calloc(ut_size count, ut_size size);
void free(void *memory);
void *mmap(void *address, ut_size size, int protection, int flags, int file, long offset) {
    if (flags & 0x10) __unthread_limit("mmap() at a given address");
    if (protection != 3) __unthread_limit("mmap() of memory that cannot be both read and written");
    if (size == 0) {
        *__errno_location() = UT_EINVAL;
        return (void *)-1;
    }
    size = (size + 4095) & ~(ut_size)4095;
    char *memory = calloc(1, size);
    if (!(flags & 0x20)) {
        if (flags & 1) __unthread_limit("mmap() of a file that is shared");
        ut_fill(memory, size, size);
    }
    __VERIFIER_atomic_begin();
    int i = 0;
    while (i < UT_MAPS && ut_map[i]) i++;
    if (i == UT_MAPS) __unthread_limit("more than 16 maps at a time");
    ut_map[i] = memory;
    ut_map_size[i] = size;
    __VERIFIER_atomic_end();
    return memory;
}
int munmap(void *memory, ut_size size) {
    __VERIFIER_atomic_begin();
    int i = 0;
    size = (size + 4095) & ~(ut_size)4095;
    while (i < UT_MAPS && !(ut_map[i] == memory && ut_map_size[i] == size)) i++;
    if (i == UT_MAPS) __unthread_limit("munmap() of anything but a whole map");
    ut_map[i] = 0;
    __VERIFIER_atomic_end();
    free(memory);
    return 0;
}
int mprotect(void *memory, ut_size size, int protection) {
    if (protection != 3) __unthread_limit("mprotect() that takes away the right to read or write");
    return ut_try();
}
int madvise(void *memory, ut_size size, int advice) { return ut_try(); }
int mlock(void *memory, ut_size size) { return ut_try(); }
int munlock(void *memory, ut_size size) { return ut_try(); }
int bind(int socket, void *address, unsigned length) { return ut_try(); }
int listen(int socket, int backlog) { return ut_try(); }
int connect(int socket, void *address, unsigned length) { return ut_try(); }
int shutdown(int socket, int how) { return ut_try(); }
int setsockopt(int socket, int level, int name, void *value, unsigned length) {
    ut_look(value, length);
    return ut_try();
}
/* An address of any length, of which what fits is written. */
static void ut_put_socket_address(void *address, unsigned *length) {
    if (!address) return;
    unsigned full = __VERIFIER_nondet_uint();
    __VERIFIER_assume(full <= 128);
    ut_fill(address, *length, full);
    *length = full;
}
int accept(int socket, void *address, unsigned *length) {
    if (__VERIFIER_nondet_bool()) return ut_fail();
    ut_put_socket_address(address, length);
    return ut_between(0, 0x7fffffff);
}
int accept4(int socket, void *address, unsigned *length, int flags) { return accept(socket, address, length); }
int getsockname(int socket, void *address, unsigned *length) {
    if (__VERIFIER_nondet_bool()) return ut_fail();
    ut_put_socket_address(address, length);
    return 0;
}
int getpeername(int socket, void *address, unsigned *length) { return getsockname(socket, address, length); }
int getsockopt(int socket, int level, int name, void *value, unsigned *length) {
    if (__VERIFIER_nondet_bool()) return ut_fail();
    unsigned size = *length;
    unsigned used = (unsigned)ut_up_to(size);
    ut_fill(value, size, used);
    *length = used;
    return 0;
}
long send(int socket, void *from, ut_size n, int flags) { return write(socket, from, n); }
long sendto(int socket, void *from, ut_size n, int flags, void *address, unsigned length) {
    return write(socket, from, n);
}
long recv(int socket, void *to, ut_size n, int flags) {
    /* MSG_TRUNC tells the length of what did not fit */
    if (flags & 0x20) __unthread_limit("recv() with MSG_TRUNC");
    return read(socket, to, n);
}
long recvfrom(int socket, void *to, ut_size n, int flags, void *address, unsigned *length) {
    long result = recv(socket, to, n, flags);
    if (result >= 0) ut_put_socket_address(address, length);
    return result;
}

/* ---- streams ---- */

struct ut_stream { char open; };
static struct ut_stream *ut_try_stream(void) {
    if (!__VERIFIER_nondet_bool()) return malloc(sizeof(struct ut_stream));
    ut_fail();
    return 0;
}
/* Streams end, which is no error, or fail. */
static int ut_end_of_stream(void) {
    if (__VERIFIER_nondet_bool()) ut_fail();
    return -1;
}
struct ut_stream *fopen(char *path, char *mode) { return ut_try_stream(); }
struct ut_stream *fdopen(int file, char *mode) { return ut_try_stream(); }
struct ut_stream *tmpfile(void) { return ut_try_stream(); }
struct ut_stream *popen(char *command, char *mode) { return ut_try_stream(); }
struct ut_stream *freopen(char *path, char *mode, struct ut_stream *stream) {
    if (!__VERIFIER_nondet_bool()) return stream;
    ut_fail();
    return 0;
}
int fclose(struct ut_stream *stream) { return ut_try(); }
int pclose(struct ut_stream *stream) { return __VERIFIER_nondet_bool() ? ut_fail() : __VERIFIER_nondet_int(); }
int fileno(struct ut_stream *stream) { return ut_try_number(); }
int feof(struct ut_stream *stream) { return __VERIFIER_nondet_int(); }
int ferror(struct ut_stream *stream) { return __VERIFIER_nondet_int(); }
void clearerr(struct ut_stream *stream) {}
int fseek(struct ut_stream *stream, long offset, int from) { return ut_try(); }
int fseeko(struct ut_stream *stream, long offset, int from) { return ut_try(); }
long ftell(struct ut_stream *stream) { return ut_try_long(); }
long ftello(struct ut_stream *stream) { return ut_try_long(); }
void rewind(struct ut_stream *stream) {}
int setvbuf(struct ut_stream *stream, char *buffer, int mode, ut_size n) { return __VERIFIER_nondet_int(); }
void setlinebuf(struct ut_stream *stream) {}

int fgetc(struct ut_stream *stream) {
    return __VERIFIER_nondet_bool() ? ut_end_of_stream() : (int)__VERIFIER_nondet_uchar();
}
int getc(struct ut_stream *stream) { return fgetc(stream); }
int _IO_getc(struct ut_stream *stream) { return fgetc(stream); }
int getchar(void) { return fgetc(0); }
int fgetc_unlocked(struct ut_stream *stream) { return fgetc(stream); }
int getc_unlocked(struct ut_stream *stream) { return fgetc(stream); }
int getchar_unlocked(void) { return fgetc(0); }
int ungetc(int c, struct ut_stream *stream) { return c == -1 || __VERIFIER_nondet_bool() ? -1 : (int)(unsigned char)c; }
int putc_unlocked(int c, struct ut_stream *stream) {
    return __VERIFIER_nondet_bool() ? ut_fail() : (int)(unsigned char)c;
}
int fputc_unlocked(int c, struct ut_stream *stream) { return putc_unlocked(c, stream); }
int putchar_unlocked(int c) { return putc_unlocked(c, 0); }
int fputs_unlocked(char *s, struct ut_stream *stream) {
    ut_look(s, strlen(s) + 1);
    return ut_try_number();
}
int dprintf(int file, char *format, ...) { return ut_try_number(); }
ut_size fread(void *to, ut_size size, ut_size count, struct ut_stream *stream) {
    if (size == 0 || count == 0) return 0;
    ut_size n = size * count;
    ut_size got = ut_up_to(n);
    ut_fill(to, n, got);
    if (got < n) ut_end_of_stream();
    return got / size;
}
ut_size fread_unlocked(void *to, ut_size size, ut_size count, struct ut_stream *stream) {
    return fread(to, size, count, stream);
}
ut_size fwrite(void *from, ut_size size, ut_size count, struct ut_stream *stream) {
    if (size == 0 || count == 0) return 0;
    ut_look(from, size * count);
    ut_size done = ut_up_to(count);
    if (done < count) ut_fail();
    return done;
}
ut_size fwrite_unlocked(void *from, ut_size size, ut_size count, struct ut_stream *stream) {
    return fwrite(from, size, count, stream);
}
/* A line, or a part of one: only its last character may be the end of a line. */
static void ut_put_line(char *to, ut_size length, ut_size most, char end) {
    for (ut_size i = 0; i < most && i < length; i++) {
        char c = __VERIFIER_nondet_char();
        if (i + 1 < length) __VERIFIER_assume(c != end);
        to[i] = c;
    }
    to[length] = 0;
}
char *fgets(char *to, int n, struct ut_stream *stream) {
    if (n <= 0) return 0;
    if (__VERIFIER_nondet_bool()) {
        /* the end leaves the memory as it is, an error does not */
        if (__VERIFIER_nondet_bool()) {
            ut_fail();
            ut_fill(to, (ut_size)n, ut_up_to((ut_size)n));
        }
        return 0;
    }
    ut_size length = n == 1 ? 0 : 1 + ut_up_to((ut_size)n - 2);
    ut_put_line(to, length, (ut_size)n - 1, '\n');
    return to;
}
char *fgets_unlocked(char *to, int n, struct ut_stream *stream) { return fgets(to, n, stream); }
/* The buffer is given back to malloc() if the line does not fit, and made just large enough. */
long getdelim(char **line, ut_size *size, int end, struct ut_stream *stream) {
    if (!line || !size) {
        *__errno_location() = UT_EINVAL;
        return -1;
    }
    if (__VERIFIER_nondet_bool()) {
        if (!*line && __VERIFIER_nondet_bool()) {
            *line = malloc(1);
            *size = 1;
        }
        return ut_end_of_stream();
    }
    ut_size length = 1 + ut_up_to((~(ut_size)0 >> 1) - 2);
    if (!*line || *size <= length) {
        free(*line);
        *line = ut_allocate(length + 1);
        *size = length + 1;
    }
    ut_put_line(*line, length, length, (char)end);
    return (long)length;
}
long getline(char **line, ut_size *size, struct ut_stream *stream) { return getdelim(line, size, '\n', stream); }

/* ---- time ---- */

double difftime(long a, long b) { return (double)(a - b); }
int clock_getres(int clock, struct ut_time *t) {
    if (__VERIFIER_nondet_bool()) return ut_fail();
    if (t) {
        t->seconds = ut_any_length();
        t->fraction = ut_between(0, 999999999);
    }
    return 0;
}
int clock_settime(int clock, struct ut_time *t) { return ut_try(); }
int settimeofday(struct ut_time *t, void *zone) { return ut_try(); }
struct ut_times { long user, system, user_of_children, system_of_children; };
long times(struct ut_times *t) {
    if (t) {
        t->user = ut_any_length();
        t->system = ut_any_length();
        t->user_of_children = ut_any_length();
        t->system_of_children = ut_any_length();
    }
    return __VERIFIER_nondet_long();
}

struct ut_tm { int sec, min, hour, mday, mon, year, wday, yday, isdst; long offset; char *zone; };
static struct ut_tm ut_broken_time;
static char ut_zone[8];
/* A field that some bits decide: one undetermined number gives them all. */
static int ut_field(unsigned long long bits, int width, int most) {
    int value = (int)(bits & ((1 << width) - 1));
    __VERIFIER_assume(value <= most);
    return value;
}
static struct ut_tm *ut_put_tm(struct ut_tm *to, int local) {
    if (__VERIFIER_nondet_bool()) {
        ut_fail();
        return 0;
    }
    unsigned long long bits = __VERIFIER_nondet_ulonglong();
    to->sec = ut_field(bits, 6, 60);
    to->min = ut_field(bits >> 6, 6, 59);
    to->hour = ut_field(bits >> 12, 5, 23);
    to->mday = 1 + ut_field(bits >> 17, 5, 30);
    to->mon = ut_field(bits >> 22, 4, 11);
    to->wday = ut_field(bits >> 26, 3, 6);
    to->yday = ut_field(bits >> 29, 9, 365);
    to->year = __VERIFIER_nondet_int();
    /* before or behind Greenwich, by up to 26 hours */
    int offset = ut_field(bits >> 40, 18, 187200);
    int summer = ut_field(bits >> 38, 2, 2);
    to->isdst = !local ? 0 : summer == 2 ? -1 : summer;
    to->offset = !local ? 0 : offset <= 93600 ? offset : 93600 - offset;
    to->zone = ut_zone;
    return to;
}
struct ut_tm *localtime_r(long *t, struct ut_tm *to) { return ut_put_tm(to, 1); }
struct ut_tm *gmtime_r(long *t, struct ut_tm *to) { return ut_put_tm(to, 0); }
struct ut_tm *localtime(long *t) { return ut_put_tm(&ut_broken_time, 1); }
struct ut_tm *gmtime(long *t) { return ut_put_tm(&ut_broken_time, 0); }
/* Fields beyond their ranges are put right. */
long mktime(struct ut_tm *t) {
    if (!ut_put_tm(t, 1)) return -1;
    return __VERIFIER_nondet_long();
}
long timelocal(struct ut_tm *t) { return mktime(t); }
long timegm(struct ut_tm *t) {
    if (!ut_put_tm(t, 0)) return -1;
    return __VERIFIER_nondet_long();
}
void tzset(void) {}
ut_size strftime(char *to, ut_size n, char *format, struct ut_tm *t) {
    if (n == 0 || __VERIFIER_nondet_bool()) {
        ut_fill(to, n, ut_up_to(n));
        return 0;
    }
    ut_size length = ut_up_to(n - 1);
    ut_put_text(to, length, n - 1);
    return length;
}
static char ut_day_names[22] = "SunMonTueWedThuFriSat";
static char ut_month_names[37] = "JanFebMarAprMayJunJulAugSepOctNovDec";
static void ut_put_two(char *to, int number, char first) {
    to[0] = number < 10 ? first : (char)('0' + number / 10);
    to[1] = (char)('0' + number % 10);
}
static int ut_outside(int number, int high) { return number < 0 || number > high; }
/* Other fields than those of a date and a year of four digits are beyond what C defines. */
char *asctime_r(struct ut_tm *t, char *to) {
    int year = t->year;
    if (ut_outside(t->wday, 6) || ut_outside(t->mon, 11) || ut_outside(t->mday, 99) || ut_outside(t->hour, 99)
        || ut_outside(t->min, 99) || ut_outside(t->sec, 99) || year < -900 || year > 8099) {
        if (__VERIFIER_nondet_bool()) {
            ut_fail();
            return 0;
        }
        return ut_any_text(to, 26);
    }
    year += 1900;
    for (int i = 0; i < 3; i++) {
        to[i] = ut_day_names[3 * t->wday + i];
        to[4 + i] = ut_month_names[3 * t->mon + i];
    }
    to[3] = ' ';
    to[7] = ' ';
    ut_put_two(to + 8, t->mday, ' ');
    to[10] = ' ';
    ut_put_two(to + 11, t->hour, '0');
    to[13] = ':';
    ut_put_two(to + 14, t->min, '0');
    to[16] = ':';
    ut_put_two(to + 17, t->sec, '0');
    to[19] = ' ';
    ut_put_two(to + 20, year / 100, '0');
    ut_put_two(to + 22, year % 100, '0');
    to[24] = '\n';
    to[25] = 0;
    return to;
}
static char ut_date[26];
char *asctime(struct ut_tm *t) { return asctime_r(t, ut_date); }
char *ctime_r(long *t, char *to) {
    struct ut_tm broken;
    return ut_put_tm(&broken, 1) ? asctime_r(&broken, to) : 0;
}
char *ctime(long *t) { return ctime_r(t, ut_date); }

/* ---- the environment ---- */

/* What was asked for or set: the same name gives the same value until it is set. Names are kept as numbers, so that
 * looking for one is a single step of a few comparisons. */
enum { UT_VARIABLES = 16, UT_NAME = 32 };
struct ut_name { unsigned long long a, b, c, d; };
struct ut_variable { struct ut_name name; char *value; };
static struct ut_variable ut_variables[UT_VARIABLES];
static int ut_variable_count;

static unsigned long long ut_name_part(char *name, ut_size from, ut_size length) {
    unsigned long long part = 0;
    for (ut_size i = from; i < length && i < from + 8; i++)
        part |= (unsigned long long)(unsigned char)name[i] << 8 * (i - from);
    return part;
}
static struct ut_name ut_name_of(char *name, ut_size length) {
    struct ut_name result;
    if (length > UT_NAME) __unthread_limit("a variable of the environment whose name has more than 32 characters");
    result.a = ut_name_part(name, 0, length);
    result.b = ut_name_part(name, 8, length);
    result.c = ut_name_part(name, 16, length);
    result.d = ut_name_part(name, 24, length);
    return result;
}
/* To be called in an atomic section. */
static int ut_find_variable(struct ut_name name) {
    int i = 0;
    while (i < ut_variable_count
           && (ut_variables[i].name.a != name.a || ut_variables[i].name.b != name.b || ut_variables[i].name.c != name.c
               || ut_variables[i].name.d != name.d))
        i++;
    return i;
}
static void ut_put_variable(struct ut_name name, char *value) {
    __VERIFIER_atomic_begin();
    int i = ut_find_variable(name);
    if (i == UT_VARIABLES) __unthread_limit("more than 16 variables of the environment");
    ut_variables[i].name = name;
    ut_variables[i].value = value;
    if (i == ut_variable_count) ut_variable_count = i + 1;
    __VERIFIER_atomic_end();
}
char *getenv(char *text) {
    struct ut_name name = ut_name_of(text, strlen(text));
    __VERIFIER_atomic_begin();
    int i = ut_find_variable(name);
    int known = i < ut_variable_count;
    char *value = known ? ut_variables[i].value : 0;
    __VERIFIER_atomic_end();
    if (known) return value;
    if (__VERIFIER_nondet_bool()) value = ut_new_text();
    __VERIFIER_atomic_begin();
    i = ut_find_variable(name);
    if (i == UT_VARIABLES) __unthread_limit("more than 16 variables of the environment");
    if (i == ut_variable_count) {
        ut_variables[i].name = name;
        ut_variables[i].value = value;
        ut_variable_count = i + 1;
    }
    value = ut_variables[i].value;
    __VERIFIER_atomic_end();
    return value;
}
char *secure_getenv(char *name) { return __VERIFIER_nondet_bool() ? 0 : getenv(name); }
static int ut_is_variable(char *name) {
    if (name && *name && !strchr(name, '=')) return 1;
    *__errno_location() = UT_EINVAL;
    return 0;
}
int setenv(char *name, char *value, int overwrite) {
    if (!ut_is_variable(name)) return -1;
    if (!overwrite && getenv(name)) return 0;
    ut_put_variable(ut_name_of(name, strlen(name)), strdup(value));
    return 0;
}
int unsetenv(char *name) {
    if (!ut_is_variable(name)) return -1;
    ut_put_variable(ut_name_of(name, strlen(name)), 0);
    return 0;
}
/* The program's own text becomes part of the environment. */
int putenv(char *text) {
    char *equals = strchr(text, '=');
    if (!equals) return unsetenv(text);
    ut_put_variable(ut_name_of(text, (ut_size)(equals - text)), equals + 1);
    return 0;
}

/* ---- texts of the library ---- */

static char ut_error_text[64];
char *strerror(int error) { return ut_any_text(ut_error_text, sizeof ut_error_text); }
int __xpg_strerror_r(int error, char *to, ut_size n) {
    if (n > 0) ut_any_text(to, n);
    return __VERIFIER_nondet_bool() ? ut_error() : 0;
}
static _Thread_local char ut_own_error_text[64];
static char *ut_strerror_r(char *to, ut_size n) {
    if (n > 0 && __VERIFIER_nondet_bool()) return ut_any_text(to, n);
    return ut_any_text(ut_own_error_text, sizeof ut_own_error_text);
}
/* With the declaration of POSIX it returns a number, with GNU's a text. */
ut_result strerror_r(int error, char *to, ut_size n) {
    return __builtin_choose_expr(
        __builtin_types_compatible_p(ut_result, int), __xpg_strerror_r(error, to, n), ut_strerror_r(to, n));
}
static char ut_signal_text[64];
char *strsignal(int signal) { return ut_any_text(ut_signal_text, sizeof ut_signal_text); }
static char ut_locale[32];
char *setlocale(int category, char *locale) {
    return __VERIFIER_nondet_bool() ? 0 : ut_any_text(ut_locale, sizeof ut_locale);
}
static char ut_terminal[32];
char *ttyname(int file) {
    if (!__VERIFIER_nondet_bool()) return ut_any_text(ut_terminal, sizeof ut_terminal);
    ut_fail();
    return 0;
}
static int ut_put_name(char *to, ut_size n) {
    if (n == 0 || __VERIFIER_nondet_bool()) return ut_error();
    ut_any_text(to, n);
    return 0;
}
int ttyname_r(int file, char *to, ut_size n) { return ut_put_name(to, n); }
static char ut_login[32];
char *getlogin(void) {
    if (!__VERIFIER_nondet_bool()) return ut_any_text(ut_login, sizeof ut_login);
    ut_fail();
    return 0;
}
int getlogin_r(char *to, ut_size n) { return ut_put_name(to, n); }
/* A name that does not fit need not have an end. */
int gethostname(char *to, ut_size n) {
    if (__VERIFIER_nondet_bool()) return ut_fail();
    if (n == 0) return 0;
    if (__VERIFIER_nondet_bool()) ut_any_text(to, n);
    else for (ut_size i = 0; i < n; i++) {
        char c = __VERIFIER_nondet_char();
        __VERIFIER_assume(c != 0);
        to[i] = c;
    }
    return 0;
}
int getdomainname(char *to, ut_size n) { return gethostname(to, n); }
struct ut_names { char names[6][65]; };
struct ut_names __VERIFIER_nondet_names(void);
int uname(struct ut_names *to) {
    if (__VERIFIER_nondet_bool()) return ut_fail();
    *to = __VERIFIER_nondet_names();
    for (int i = 0; i < 6; i++) to->names[i][64] = 0;
    return 0;
}

/* ---- the process; what does not change while it runs is a variable that nobody writes ---- */

extern unsigned ut_process, ut_user, ut_effective_user, ut_group, ut_effective_group, ut_page, ut_tick;
int getpid(void) { return 1 + (int)(ut_process & 0x3fffff); }
int gettid(void) { return getpid() - 1 + (int)pthread_self(); }
int getppid(void) { return ut_between(0, 0x7fffffff); }
unsigned getuid(void) { return ut_user; }
unsigned geteuid(void) { return ut_effective_user; }
unsigned getgid(void) { return ut_group; }
unsigned getegid(void) { return ut_effective_group; }
int getpgrp(void) { return ut_between(0, 0x7fffffff); }
int getpgid(int process) { return ut_try_number(); }
int getsid(int process) { return ut_try_number(); }
int setsid(void) { return ut_try_number(); }
int setpgid(int process, int group) { return ut_try(); }
int getpagesize(void) { return 4096 << (ut_page & 15); }
long sysconf(int name) {
    if (name == 30) return getpagesize();
    if (name == 2) return 1 + (long)(ut_tick & 0xffff);
    /* processors: one at least */
    if (name == 83 || name == 84) return ut_between(1, 0x7fffffff);
    if (!__VERIFIER_nondet_bool()) return ut_any_length();
    /* no limit is no error */
    return __VERIFIER_nondet_bool() ? ut_fail() : -1;
}
long pathconf(char *path, int name) { return __VERIFIER_nondet_bool() ? ut_any_length() : ut_end_of_stream(); }
long fpathconf(int file, int name) { return __VERIFIER_nondet_bool() ? ut_any_length() : ut_end_of_stream(); }
int get_nprocs(void) { return ut_between(1, 0x7fffffff); }
int get_nprocs_conf(void) { return ut_between(1, 0x7fffffff); }
int nice(int change) { return __VERIFIER_nondet_bool() ? ut_fail() : ut_between(-20, 19); }
int getpriority(int which, unsigned who) { return __VERIFIER_nondet_bool() ? ut_fail() : ut_between(-20, 20); }
int setpriority(int which, unsigned who, int priority) { return ut_try(); }
struct ut_limits { unsigned long soft, hard; };
int getrlimit(int resource, struct ut_limits *to) {
    if (__VERIFIER_nondet_bool()) return ut_fail();
    to->hard = __VERIFIER_nondet_ulong();
    to->soft = (unsigned long)ut_up_to(to->hard);
    return 0;
}
int setrlimit(int resource, struct ut_limits *from) { return ut_try(); }
struct ut_usage { struct ut_time user, system; long counters[14]; };
struct ut_usage __VERIFIER_nondet_usage(void);
int getrusage(int who, struct ut_usage *to) {
    if (__VERIFIER_nondet_bool()) return ut_fail();
    *to = __VERIFIER_nondet_usage();
    to->user.seconds = ut_any_length();
    to->user.fraction = ut_between(0, 999999);
    to->system.seconds = ut_any_length();
    to->system.fraction = ut_between(0, 999999);
    return 0;
}
int system(char *command) { return __VERIFIER_nondet_int(); }
int sched_getcpu(void) { return ut_try_number(); }
int sched_get_priority_max(int policy) { return ut_try_number(); }
int sched_get_priority_min(int policy) { return ut_try_number(); }
int sched_setaffinity(int process, ut_size n, void *set) { return ut_try(); }
int sched_getaffinity(int process, ut_size n, void *set) {
    if (__VERIFIER_nondet_bool()) return ut_fail();
    ut_fill(set, n, n);
    return 0;
}
int sched_setscheduler(int process, int policy, void *parameters) { return ut_try_number(); }
int sched_getscheduler(int process) { return ut_try_number(); }

/* ---- random numbers ---- */

long lrand48(void) { return rand(); }
long nrand48(unsigned short *state) {
    for (int i = 0; i < 3; i++) state[i] = __VERIFIER_nondet_ushort();
    return rand();
}
long mrand48(void) { return __VERIFIER_nondet_int(); }
long jrand48(unsigned short *state) {
    for (int i = 0; i < 3; i++) state[i] = __VERIFIER_nondet_ushort();
    return __VERIFIER_nondet_int();
}
void srand48(long seed) {}
unsigned arc4random(void) { return __VERIFIER_nondet_uint(); }
unsigned arc4random_uniform(unsigned bound) {
    if (bound < 2) return 0;
    unsigned number = __VERIFIER_nondet_uint();
    __VERIFIER_assume(number < bound);
    return number;
}
void arc4random_buf(void *to, ut_size n) { ut_fill(to, n, n); }
int getentropy(void *to, ut_size n) {
    if (n > 256 || __VERIFIER_nondet_bool()) return ut_fail();
    ut_fill(to, n, n);
    return 0;
}
long getrandom(void *to, ut_size n, unsigned flags) { return read(0, to, n); }

/* ---- messages: nobody reads them ---- */

void openlog(char *name, int options, int facility) {}
void syslog(int priority, char *format, ...) {}
void closelog(void) {}
int setlogmask(int mask) { return __VERIFIER_nondet_int(); }
void warn(char *format, ...) {}
void warnx(char *format, ...) {}
void err(int status, char *format, ...) { exit(status); }
void errx(int status, char *format, ...) { exit(status); }
void error(int status, int number, char *format, ...) {
    if (status) exit(status);
}
void psignal(int signal, char *text) {}
/* Names of threads are not remembered. */
int pthread_getname_np(unsigned long thread, char *name, ut_size size) {
    if (size < 16) return UT_ERANGE;
    ut_fill(name, 15, ut_up_to(15));
    name[15] = 0;
    return 0;
}
/* The name of a thread is set (15) or told (16); nothing else changes what threads do. */
int prctl(int option, ...) {
    if (option == 16) {
        __builtin_va_list list;
        __builtin_va_start(list, option);
        char *name = __builtin_va_arg(list, char *);
        __builtin_va_end(list);
        ut_fill(name, 15, ut_up_to(15));
        name[15] = 0;
        return 0;
    }
    if (option != 15) __unthread_limit("prctl() for anything but names");
    return 0;
}

/* ---- signals ---- */

enum { UT_SIGNAL_NUMBERS = 64, UT_SIGNAL_WORDS = 128 / sizeof(long) };
struct ut_signals { unsigned long words[UT_SIGNAL_WORDS]; };
static int ut_is_signal(int signal) {
    if (signal >= 1 && signal <= UT_SIGNAL_NUMBERS) return 1;
    *__errno_location() = UT_EINVAL;
    return 0;
}
static unsigned long ut_signal_bit(int signal) { return 1UL << (signal - 1) % (8 * (int)sizeof(long)); }
static int ut_signal_word(int signal) { return (signal - 1) / (8 * (int)sizeof(long)); }
int sigemptyset(struct ut_signals *set) {
    for (int i = 0; i < UT_SIGNAL_WORDS; i++) set->words[i] = 0;
    return 0;
}
/* Signals that the C library keeps for itself (32 and 33) may be left out. */
int sigfillset(struct ut_signals *set) {
    sigemptyset(set);
    for (int i = 0; i < UT_SIGNAL_NUMBERS / (8 * (int)sizeof(long)); i++) set->words[i] = ~0UL;
    set->words[ut_signal_word(32)] &= ~ut_signal_bit(32);
    set->words[ut_signal_word(33)] &= ~ut_signal_bit(33);
    return 0;
}
int sigaddset(struct ut_signals *set, int signal) {
    if (!ut_is_signal(signal)) return -1;
    set->words[ut_signal_word(signal)] |= ut_signal_bit(signal);
    return 0;
}
int sigdelset(struct ut_signals *set, int signal) {
    if (!ut_is_signal(signal)) return -1;
    set->words[ut_signal_word(signal)] &= ~ut_signal_bit(signal);
    return 0;
}
int sigismember(struct ut_signals *set, int signal) {
    if (!ut_is_signal(signal)) return -1;
    return (set->words[ut_signal_word(signal)] & ut_signal_bit(signal)) != 0;
}

enum { UT_WITH_INFO = 4, UT_ONCE = (int)0x80000000 };
typedef void (*ut_handler)(int);
struct ut_action { ut_handler handler; struct ut_signals mask; int flags; void (*restorer)(void); };
static ut_handler ut_handlers[UT_SIGNAL_NUMBERS + 1];
static int ut_handler_flags[UT_SIGNAL_NUMBERS + 1];
static char ut_signal_info[128];
static _Thread_local struct ut_signals ut_blocked;
static _Thread_local int ut_handling;
void abort(void);

/* SIGKILL and SIGSTOP cannot be caught. */
static int ut_can_be_caught(int signal) {
    /* abort() does not come back here. */
    if (signal == 6) __unthread_limit("a handler for SIGABRT");
    if (signal != 9 && signal != 19) return ut_is_signal(signal);
    *__errno_location() = UT_EINVAL;
    return 0;
}
static ut_handler ut_set_handler(int signal, ut_handler handler, int flags) {
    __VERIFIER_atomic_begin();
    ut_handler before = ut_handlers[signal];
    ut_handlers[signal] = handler;
    ut_handler_flags[signal] = flags;
    __VERIFIER_atomic_end();
    return before;
}
/* The mask of an action is not remembered: no handler is interrupted. */
int sigaction(int signal, struct ut_action *new, struct ut_action *old) {
    if (!(new ? ut_can_be_caught(signal) : ut_is_signal(signal))) return -1;
    ut_handler handler = 0;
    int flags = 0;
    if (new) {
        handler = new->handler;
        flags = new->flags;
    }
    __VERIFIER_atomic_begin();
    ut_handler before = ut_handlers[signal];
    int before_flags = ut_handler_flags[signal];
    if (new) {
        ut_handlers[signal] = handler;
        ut_handler_flags[signal] = flags;
    }
    __VERIFIER_atomic_end();
    if (old) {
        old->handler = before;
        old->flags = before_flags;
        ut_fill(&old->mask, sizeof old->mask, sizeof old->mask);
    }
    return 0;
}
ut_handler signal(int signal, ut_handler handler) {
    if (!ut_can_be_caught(signal)) return (ut_handler)-1;
    return ut_set_handler(signal, handler, 0);
}
int raise(int signal) {
    if (signal == 0) return 0;
    if (!ut_is_signal(signal)) return -1;
    /* Which signals wait until the handler ends is not remembered. */
    if (ut_handling) __unthread_limit("a signal that is raised by a handler");
    if (ut_blocked.words[ut_signal_word(signal)] & ut_signal_bit(signal))
        __unthread_limit("a signal that is raised while it is blocked");
    __VERIFIER_atomic_begin();
    ut_handler handler = ut_handlers[signal];
    int flags = ut_handler_flags[signal];
    if ((flags & UT_ONCE) && handler != (ut_handler)1) ut_handlers[signal] = 0;
    __VERIFIER_atomic_end();
    if (handler == (ut_handler)1) return 0;
    if (handler == 0) {
        /* SIGCHLD, SIGCONT, SIGURG and SIGWINCH do nothing, those from SIGSTOP to SIGTTOU stop the process. */
        if (signal == 17 || signal == 18 || signal == 23 || signal == 28) return 0;
        if (signal >= 19 && signal <= 22) __unthread_limit("a signal that stops the process");
        abort();
    }
    ut_handling = 1;
    if (flags & UT_WITH_INFO)
        ((void (*)(int, void *, void *))handler)(signal, ut_signal_info, 0);
    else
        handler(signal);
    ut_handling = 0;
    return 0;
}
int pthread_kill(unsigned long thread, int signal) {
    if (signal == 0) return 0;
    if (signal < 0 || signal > UT_SIGNAL_NUMBERS) return UT_EINVAL;
    if (thread != pthread_self()) __unthread_limit("a signal to another thread");
    raise(signal);
    return 0;
}
/* Any thread of the own process may get it. */
int kill(int process, int signal) {
    if (signal != 0 && process == getpid()) __unthread_limit("a signal to the own process");
    return ut_try();
}
/* One that was sent from outside. */
int sigwait(struct ut_signals *set, int *signal) {
    int number = ut_between(1, UT_SIGNAL_NUMBERS);
    __VERIFIER_assume(sigismember(set, number));
    *signal = number;
    return 0;
}
/* Which signals are blocked matters only to those that the program raises. */
int pthread_sigmask(int how, struct ut_signals *set, struct ut_signals *old) {
    struct ut_signals given = ut_blocked;
    if (set) {
        if (how != 0 && how != 1 && how != 2) return UT_EINVAL;
        given = *set;
        for (int i = 0; i < UT_SIGNAL_WORDS; i++) {
            if (how == 0) given.words[i] = ut_blocked.words[i] | given.words[i];
            if (how == 1) given.words[i] = ut_blocked.words[i] & ~given.words[i];
        }
    }
    if (old) *old = ut_blocked;
    ut_blocked = given;
    return 0;
}
int sigprocmask(int how, struct ut_signals *set, struct ut_signals *old) {
    int result = pthread_sigmask(how, set, old);
    if (result == 0) return 0;
    *__errno_location() = result;
    return -1;
}

/* ---- options of the command line ---- */

char *optarg;
int optind = 1, opterr = 1, optopt = '?';
/* Where in a word of several options the next one stands; 0: at the beginning of the next word. */
static int ut_option_at;

/* The next word if it is an option. GNU moves operands behind the options, POSIX stops at the first. */
static char *ut_option_word(int count, char **words, char *options) {
    optarg = 0;
    if (optind == 0) {
        optind = 1;
        ut_option_at = 0;
    }
    if (optind >= count || !words[optind]) return 0;
    char *word = words[optind];
    if (ut_option_at > 0) return word;
    if (*options == '-') __unthread_limit("getopt() that returns operands");
    if (word[0] != '-' || !word[1]) {
        for (int i = optind + 1; i < count && *options != '+'; i++)
            if (words[i][0] == '-' && words[i][1]) __unthread_limit("getopt() with options behind operands");
        return 0;
    }
    if (word[1] == '-' && !word[2]) {
        optind = optind + 1;
        return 0;
    }
    return word;
}
static int ut_short_option(int count, char **words, char *options) {
    char *word = words[optind];
    if (ut_option_at == 0) ut_option_at = 1;
    char c = word[ut_option_at++];
    if (!word[ut_option_at]) {
        optind = optind + 1;
        ut_option_at = 0;
    }
    if (*options == '+') options++;
    char *found = c == ':' || c == ';' ? 0 : strchr(options, c);
    if (!found) {
        optopt = c;
        return '?';
    }
    if (found[1] != ':') return c;
    if (ut_option_at > 0) {
        optarg = word + ut_option_at;
        optind = optind + 1;
        ut_option_at = 0;
    } else if (found[2] != ':') {
        if (optind >= count) {
            optopt = c;
            return *options == ':' ? ':' : '?';
        }
        optarg = words[optind];
        optind = optind + 1;
    }
    return c;
}
int getopt(int count, char **words, char *options) {
    return ut_option_word(count, words, options) ? ut_short_option(count, words, options) : -1;
}
struct ut_option { char *name; int argument; int *flag; int value; };
int getopt_long(int count, char **words, char *options, struct ut_option *known, int *index) {
    char *word = ut_option_word(count, words, options);
    if (!word) return -1;
    if (ut_option_at > 0 || word[1] != '-') return ut_short_option(count, words, options);
    char *name = word + 2;
    ut_size length = strcspn(name, "=");
    struct ut_option *found = 0;
    int ambiguous = 0;
    optind = optind + 1;
    for (struct ut_option *o = known; o && o->name; o++) {
        if (strncmp(o->name, name, length) != 0) continue;
        if (!o->name[length]) {
            found = o;
            ambiguous = 0;
            break;
        }
        if (found && (found->argument != o->argument || found->flag != o->flag || found->value != o->value))
            ambiguous = 1;
        if (!found) found = o;
    }
    if (!found || ambiguous) {
        optopt = 0;
        return '?';
    }
    if (*options == '+') options++;
    if (name[length]) {
        if (!found->argument) {
            optopt = found->flag ? 0 : found->value;
            return '?';
        }
        optarg = name + length + 1;
    } else if (found->argument == 1) {
        if (optind >= count) {
            optopt = found->flag ? 0 : found->value;
            return *options == ':' ? ':' : '?';
        }
        optarg = words[optind];
        optind = optind + 1;
    }
    if (index) *index = (int)(found - known);
    if (!found->flag) return found->value;
    *found->flag = found->value;
    return 0;
}
