/* Runs a recorded interleaving with real threads.
 *
 * One thread runs at a time. Before every visible step a thread calls __replay_step, gives its turn back, and waits until
 * the schedule names it. Locks, condition variables and so on are the functions of the library as unthread understands
 * them, compiled into the program, so that also a wake-up without reason happens when the schedule says so. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "schedule.h"

enum { SAME_FAILURE = 77, OTHER = 78, HANGS = 79 };

struct thread {
    pthread_t handle;
    void *(*start)(void *);
    int (*start_c11)(void *);
    void *argument;
    void *result;
    int exists, arrived, finished, detached, joined, waits;
    unsigned input;
    /* How often it has allocated, and what it got, but for what others had before. */
    /* What it has written that has not reached memory. */
    struct store { char *address; unsigned size; char bytes[64]; } stores[32];
    int store_count;
    int allocations, block_count;
    struct block { char *memory; size_t size; } *blocks;
};

static struct thread threads[REPLAY_MAX_THREADS];
static int count = 1;
/* The next entry of the schedule, and the thread that runs (-1: nobody). */
static int position, running;
/* At the end of the schedule: the thread that is asked whether it can go on. */
static int asked = -1;
/* Whoever holds it decides about the turns. Taken without the thread library and in a file that is not instrumented, so
 * that it orders nothing in the eyes of ThreadSanitizer. */
static int turn;
static _Thread_local int self, atomic_depth, here, probing;

static void rest(void) {
    struct timespec moment = {0, 20000};
    nanosleep(&moment, 0);
}
static void take_turn(void) {
    while (__atomic_exchange_n(&turn, 1, __ATOMIC_ACQUIRE)) rest();
}
static void give_turn(void) { __atomic_store_n(&turn, 0, __ATOMIC_RELEASE); }
/* Until something has changed, perhaps. */
static void wait_for_change(void) {
    give_turn();
    rest();
    take_turn();
}

static void end(int status, const char *text) {
    static const char about[] = "replay: ";
    fflush(stdout);
    if (write(2, about, sizeof about - 1) < 0 || write(2, text, strlen(text)) < 0 || write(2, "\n", 1) < 0) {}
    _exit(status);
}

static void failed(int kind, const char *text) {
    char message[400];
    if (kind == REPLAY_KIND && self == REPLAY_THREAD && here) {
        snprintf(message, sizeof message, "thread %d fails at %s, as recorded: %s", self, REPLAY_PLACE, text);
        end(SAME_FAILURE, message);
    }
    snprintf(message, sizeof message, "thread %d fails in another way, or in another place: %s", self, text);
    end(OTHER, message);
}

static void wait_for_good(void) {
    give_turn();
    for (;;) pause();
}

/* Everybody stands before a step, and the schedule is over. */
static void ask_next(void) {
    if (REPLAY_KIND != REPLAY_DEADLOCK) end(OTHER, "the recorded steps are over, and nothing has failed");
    for (asked++; asked < count && (threads[asked].finished || !replay_stuck[asked]); asked++) {}
    if (asked == count) end(SAME_FAILURE, "threads wait for good, as recorded: a deadlock");
}

/* Stores that reach memory between two steps: nobody's step. */
static void stores_reach_memory(void) {
    while (running == -1 && position < REPLAY_LENGTH && replay_schedule[position].statement < 0) {
        struct thread *owner = &threads[replay_schedule[position].thread];
        int at = -1 - replay_schedule[position].statement;
        if (at >= owner->store_count) end(OTHER, "a store that should reach memory is not in the buffer");
        memcpy(owner->stores[at].address, owner->stores[at].bytes, owner->stores[at].size);
        owner->store_count--;
        memmove(&owner->stores[at], &owner->stores[at + 1], (size_t)(owner->store_count - at) * sizeof *owner->stores);
        position++;
    }
}

void __replay_store(void *address, const void *value, unsigned size, int in_section) {
    struct thread *own = &threads[self];
    if (atomic_depth > 0 && !in_section) {
        memcpy(address, value, size);
        return;
    }
    if (own->store_count == 32 || size > sizeof own->stores->bytes) end(OTHER, "more waits in a buffer than the replay has room for");
    struct store *last = &own->stores[own->store_count++];
    last->address = address;
    last->size = size;
    memcpy(last->bytes, value, size);
}

/* Memory as this thread sees it: a copy, where stores of its own have not reached it. */
void *__replay_seen(void *address, unsigned size) {
    static _Thread_local char copies[16][64] __attribute__((aligned(16)));
    static _Thread_local unsigned next;
    struct thread *own = &threads[self];
    char *from = address, *copy = 0;
    for (int i = 0; i < own->store_count; i++) {
        struct store *store = &own->stores[i];
        if (store->address >= from + size || from >= store->address + store->size) continue;
        if (!copy) {
            if (size > sizeof *copies) end(OTHER, "more waits in a buffer than the replay has room for");
            copy = copies[next++ % 16];
            memcpy(copy, from, size);
        }
        for (unsigned at = 0; at < store->size; at++) {
            char *byte = store->address + at;
            if (byte >= from && byte < from + size) copy[byte - from] = store->bytes[at];
        }
    }
    return copy ? copy : address;
}

static void give_turn_back(void) {
    if (running == self) running = -1;
    stores_reach_memory();
    if (running == -1 && position == REPLAY_LENGTH && asked < count) ask_next();
}

void __replay_step(int statement) {
    if (atomic_depth > 0) return;
    if (probing) end(OTHER, "a thread that should wait for good goes on");
    take_turn();
    if (threads[self].arrived) {
        give_turn_back();
    } else {
        /* A new thread: its creator goes on when it stands before its first step. */
        threads[self].arrived = 1;
    }
    for (;;) {
        stores_reach_memory();
        if (running == -1 && position < REPLAY_LENGTH && replay_schedule[position].thread == self) break;
        if (running == -1 && asked == self) {
            probing = 1;
            running = self;
            give_turn();
            return;
        }
        wait_for_change();
    }
    if (replay_schedule[position].statement != statement) {
        char message[200];
        snprintf(message, sizeof message, "step %d of the schedule is statement %d of thread %d, which is at %d", position,
                 replay_schedule[position].statement, self, statement);
        end(OTHER, message);
    }
    position++;
    running = self;
    give_turn();
}

/* The thread failed here in a way that nobody looks for; the others went on. */
void __replay_hold(int statement) {
    for (int i = position; i < REPLAY_LENGTH; i++)
        if (replay_schedule[i].thread == self && replay_schedule[i].statement >= 0) return;
    for (unsigned i = 0; i < sizeof replay_holds / sizeof *replay_holds; i++) {
        if (replay_holds[i].thread != self || replay_holds[i].statement != statement) continue;
        take_turn();
        give_turn_back();
        wait_for_good();
    }
}

/* A thread that is not needed any more may go round for ever. */
void __replay_loop(void) {
    static _Thread_local unsigned long rounds;
    if (atomic_depth > 0 || ++rounds < 2000000) return;
    for (int i = position; i < REPLAY_LENGTH; i++)
        if (replay_schedule[i].thread == self && replay_schedule[i].statement >= 0) return;
    if (self == REPLAY_THREAD) return;
    take_turn();
    threads[self].arrived = 1;
    give_turn_back();
    wait_for_good();
}

void __replay_here(int value) { here = value; }
int __replay_passed(int value) {
    here = 0;
    return value;
}

/* ThreadSanitizer does not know that atomic sections are ordered, and with them the locks. */
void __tsan_acquire(void *) __attribute__((weak));
void __tsan_release(void *) __attribute__((weak));
static char sections;
void __replay_atomic_begin(void) {
    if (atomic_depth++ == 0 && __tsan_acquire) __tsan_acquire(&sections);
}
void __replay_atomic_end(void) {
    if (--atomic_depth == 0 && __tsan_release) __tsan_release(&sections);
}

/* A single atomic operation, and what its accesses order. ThreadSanitizer is told here, because the operation is a load and a
 * store to it, and because it knows nothing of fences. */
static _Thread_local void *just_loaded, *loaded[64];
static _Thread_local unsigned load_count;
static _Thread_local int fenced;
static int acquires(int order) { return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE; }
static int releases(int order) { return order >= __ATOMIC_RELEASE; }
static void acquire(void *address) {
    if (__tsan_acquire) __tsan_acquire(address);
}
static void release(void *address) {
    if (__tsan_release) __tsan_release(address);
}
void __replay_operation_begin(void) {
    atomic_depth++;
    just_loaded = 0;
}
void __replay_operation_end(void) { atomic_depth--; }
void __replay_loads(void *address, int order) {
    just_loaded = atomic_depth > 0 ? address : 0;
    loaded[load_count++ % 64] = address;
    if (acquires(order)) acquire(address);
}
/* Says whether the store itself is to release, and so to end what others have released there. */
int __replay_stores(void *address, int order) {
    int exchanges = atomic_depth > 0 && just_loaded == address;
    if (exchanges && acquires(order)) acquire(address);
    if (fenced || (exchanges && releases(order))) release(address);
    return !exchanges && releases(order);
}
void __replay_fence(int order) {
    if (acquires(order))
        for (unsigned i = 0; i < load_count && i < 64; i++) acquire(loaded[i]);
    fenced |= releases(order);
}
void __replay_full_fence(void) { __replay_fence(__ATOMIC_SEQ_CST); }

/* ---- races: two accesses, and where they go ---- */

static struct { unsigned long size; char *address; } touches[2];
void __replay_touch(int which, void *address, unsigned long size) {
    if (self != replay_touches[which].thread || position - 1 != replay_touches[which].unit) return;
    touches[which].address = address;
    touches[which].size = size;
}
int __replay_touched(int which, int value) {
    if (which == 0 || REPLAY_KIND != REPLAY_RACE || !touches[1].size || self != replay_touches[1].thread) return value;
    char *a = touches[0].address, *b = touches[1].address;
    char message[300];
    snprintf(message, sizeof message, "thread %d accesses %lu bytes at %p, and thread %d %lu bytes at %p",
             replay_touches[0].thread, touches[0].size, (void *)a, self, touches[1].size, (void *)b);
    int overlap = touches[0].size && a < b + touches[1].size && b < a + touches[0].size;
    end(overlap ? SAME_FAILURE : OTHER, message);
    return value;
}

/* ---- waiting and assuming ---- */

/* The thread stays here, but what it looked at may be the second access of a race. */
static void stays(void) { __replay_touched(1, 0); }

static void must_wait(void) {
    stays();
    if (!probing) end(OTHER, "a thread has to wait where it did not when this was recorded");
    take_turn();
    threads[self].waits = 1;
    give_turn_back();
    wait_for_good();
}

void __replay_await(int condition) {
    if (!condition) must_wait();
}
void __replay_await_holder(int condition, int holder) {
    (void)holder;
    __replay_await(condition);
}
void __replay_await_or_spurious(int condition) {
    if (!condition && probing) must_wait();
}
void __replay_assume(int condition) {
    if (condition) return;
    stays();
    take_turn();
    if (!threads[self].arrived) threads[self].arrived = 1;
    give_turn_back();
    wait_for_good();
}

/* ---- recorded values ---- */

unsigned long long __replay_input(void) {
    const struct replay_inputs *inputs = &replay_inputs[self];
    unsigned at = threads[self].input++;
    return at < inputs->count ? inputs->values[at] : 0;
}
double __replay_input_double(void) {
    unsigned long long bits = __replay_input();
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
float __replay_input_float(void) {
    uint32_t bits = (uint32_t)__replay_input();
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
/* Does a place that nobody wrote get its value now? It does when the thread comes by as often as when it was recorded. */
static const struct replay_settled *settled_now(int place, int pass) {
    const struct replay_settled *entry = replay_settled;
    while (entry->thread >= 0 && (entry->thread != self || entry->place != place || entry->pass != pass)) entry++;
    return entry->thread >= 0 ? entry : 0;
}
static _Thread_local int passes[REPLAY_SETTLES];
int __replay_settles(int place) { return settled_now(place, passes[place]++) != 0; }
void __replay_settle(int place, void *memory) {
    const struct replay_settled *entry = settled_now(place, passes[place] - 1);
    memcpy(memory, &entry->value, (size_t)entry->size);
}

/* The bytes that the next conversion stores, or 0 at the end of the format. */
static int next_stored(const char **format) {
    const char *at = *format;
    while (*at) {
        if (*at++ != '%') continue;
        int suppressed = *at == '*', width = 0, lengths = 0;
        for (at += suppressed; *at >= '0' && *at <= '9'; at++) width = width * 10 + *at - '0';
        const char *length = at;
        for (; *at && strchr("hlLjztq", *at); at++) lengths++;
        if (!*at) break;
        char letter = *at++;
        if (letter == '%' || suppressed) continue;
        *format = at;
        if (strchr("fgeaFGEA", letter)) return lengths ? 8 : 4;
        if (letter == 'c') return width ? width : 1;
        if (!lengths) return 4;
        if (*length == 'h') return lengths == 2 ? 1 : 2;
        return (*length == 'l' && lengths == 1) || *length == 'z' || *length == 't' ? (int)sizeof(long) : 8;
    }
    return 0;
}
/* How many conversions succeed comes first (one more than there are: the end of the input), then their values. */
static int scan(const char *format, va_list targets) {
    int count = (int)__replay_input(), all = 0;
    for (const char *at = format; next_stored(&at); all++) {}
    if (count > all) return EOF;
    for (int i = 0; i < count; i++) {
        char *to = va_arg(targets, char *);
        for (int size = next_stored(&format); size > 0;) {
            int part = size >= 8 ? 8 : size == 4 || size == 2 ? size : 1;
            unsigned long long value = __replay_input();
            memcpy(to, &value, (size_t)part);
            to += part;
            size -= part;
        }
    }
    return count;
}
int __replay_scan_input(const char *format, ...) {
    va_list targets;
    va_start(targets, format);
    int result = scan(format, targets);
    va_end(targets);
    return result;
}
int __replay_scan_stream(void *stream, const char *format, ...) {
    (void)stream;
    va_list targets;
    va_start(targets, format);
    int result = scan(format, targets);
    va_end(targets);
    return result;
}

unsigned long long __replay_choose(unsigned long long mask) { return mask ? __replay_input() : 0; }
int __replay_spurious(void) { return (int)__replay_input(); }

/* ---- failures ---- */

void __replay_assert(int condition) {
    if (!condition) failed(REPLAY_ASSERTION, "an assertion does not hold");
}
void __replay_assert_fail(void) { failed(REPLAY_ASSERTION, "an assertion does not hold"); }
void __replay_error(void) { failed(REPLAY_ERROR_CALL, "the error function is called"); }
void __replay_misuse(char *text) { failed(REPLAY_LOCK_MISUSE, text); }
void __replay_limit(char *text) { end(OTHER, text); }
void __replay_abort(void) { failed(REPLAY_ABORT, "abort() is called"); }
void __replay_unreachable(void) { failed(REPLAY_UNREACHABLE, "what should be unreachable is reached"); }
void __replay_exit(int status) {
    (void)status;
    end(OTHER, "the program ends before it fails");
}

static void on_signal(int signal) {
    if (signal == SIGALRM) end(HANGS, "it does not end");
    if (signal == SIGFPE) failed(REPLAY_DIVISION, "a division that is not defined");
    if (signal == SIGILL) failed(REPLAY_OVERFLOW, "arithmetic overflows");
    if (signal == SIGABRT) failed(REPLAY_ABORT, "abort() is called");
    failed(REPLAY_MEMORY, "memory is used that is not there");
}

/* With -fsanitize=address: its own report comes after this. */
void __asan_on_error(void) { failed(REPLAY_MEMORY, "memory is used that is not there"); }

/* ---- memory ---- */

static struct block *block_at(void *memory) {
    for (int thread = 0; memory && thread < REPLAY_MAX_THREADS; thread++)
        for (int index = 0; index < threads[thread].block_count; index++)
            if (threads[thread].blocks[index].memory == memory) return &threads[thread].blocks[index];
    return 0;
}
/* Giving memory back is a write to all of it. */
void __tsan_write_range(void *, unsigned long) __attribute__((weak));
void __replay_free(void *memory) {
    struct block *block = block_at(memory);
    if (block && __tsan_write_range) __tsan_write_range(memory, block->size);
#ifdef REPLAY_FREES
    free(memory);
#endif
}
/* Memory that was freed is given out again where it was when this was recorded, and nowhere else. */
void *__replay_malloc(size_t size) {
    struct thread *own = &threads[self];
    int allocation = own->allocations++;
    for (const struct replay_again *again = replay_again; again->thread >= 0; again++)
        if (again->thread == self && again->allocation == allocation) {
            struct block *block = &threads[again->owner].blocks[again->number - 1];
            block->size = size;
            return memset(block->memory, 0, size);
        }
    /* Room for what is given out here later. */
    size_t whole = size + REPLAY_ROOM;
    struct block block = {calloc(1, whole ? whole : 1), size};
    own->blocks = realloc(own->blocks, sizeof block * (size_t)(own->block_count + 1));
    own->blocks[own->block_count++] = block;
    return block.memory;
}
void *__replay_calloc(size_t count, size_t size) { return __replay_malloc(count * size); }
void *__replay_realloc(void *old, size_t size) {
    char *block = __replay_malloc(size);
    struct block *other = block_at(old);
    if (other) memcpy(block, old, other->size < size ? other->size : size);
    if (old) __replay_free(old);
    return block;
}

/* ---- threads ---- */

unsigned long __replay_self(void) { return (unsigned long)self + 1; }

static void finish(void) {
    __replay_thread_end();
    take_turn();
    threads[self].finished = 1;
    threads[self].arrived = 1;
    give_turn_back();
    give_turn();
}

static void *begin(void *argument) {
    struct thread *thread = argument;
    self = (int)(thread - threads);
    if (thread->start) thread->result = thread->start(thread->argument);
    else thread->result = (void *)(intptr_t)thread->start_c11(thread->argument);
    finish();
    return 0;
}

static int create(unsigned long *id, void *(*start)(void *), int (*start_c11)(void *), void *argument, int detached) {
    /* In a section that cannot be completed: it will not have happened. */
    if (probing) return 0;
    if (count == REPLAY_MAX_THREADS) end(OTHER, "there are more threads than when this was recorded");
    struct thread *thread = &threads[count++];
    thread->start = start;
    thread->start_c11 = start_c11;
    thread->argument = argument;
    thread->detached = detached;
    thread->exists = 1;
    *id = (unsigned long)(thread - threads) + 1;
    if (pthread_create(&thread->handle, 0, begin, thread)) end(OTHER, "a thread cannot be created");
    take_turn();
    while (!thread->arrived) wait_for_change();
    give_turn();
    return 0;
}

int __replay_create(unsigned long *id, int *attributes, void *(*start)(void *), void *argument) {
    return create(id, start, 0, argument, attributes && *attributes == 1);
}
int __replay_create_c11(unsigned long *id, int (*start)(void *), void *argument) {
    return create(id, 0, start, argument, 0);
}

static int join(unsigned long id, struct thread **joined) {
    if (id < 1 || id > (unsigned long)count) failed(REPLAY_THREAD_MISUSE, "there is no thread with this id");
    struct thread *thread = &threads[id - 1];
    if ((int)(id - 1) == self) return 35;
    if (thread->joined || (thread->detached && id > 1)) failed(REPLAY_THREAD_MISUSE, "the thread cannot be joined");
    take_turn();
    int finished = thread->finished;
    give_turn();
    if (!finished) must_wait();
    thread->joined = 1;
    if (id > 1) pthread_join(thread->handle, 0);
    *joined = thread;
    return 0;
}

int __replay_join(unsigned long id, void **result) {
    struct thread *thread;
    int status = join(id, &thread);
    if (!status && result) *result = thread->result;
    return status;
}
int __replay_join_c11(unsigned long id, int *result) {
    struct thread *thread;
    int status = join(id, &thread);
    if (!status && result) *result = (int)(intptr_t)thread->result;
    return status;
}
int __replay_detach(unsigned long id) {
    if (id < 1 || id > (unsigned long)count || threads[id - 1].joined || threads[id - 1].detached)
        failed(REPLAY_THREAD_MISUSE, "the thread cannot be detached");
    threads[id - 1].detached = 1;
    return 0;
}
void __replay_thread_exit(void *result) {
    threads[self].result = result;
    atomic_depth = 0;
    finish();
    pthread_exit(0);
}
void __replay_thread_exit_c11(int result) { __replay_thread_exit((void *)(intptr_t)result); }

__attribute__((constructor)) static void set_up(void) {
    threads[0].exists = threads[0].arrived = 1;
    int signals[] = {SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], on_signal);
    alarm(REPLAY_SECONDS);
}

__attribute__((destructor)) static void ended(void) {
    __replay_at_exit();
    end(OTHER, "the program ends before it fails");
}
