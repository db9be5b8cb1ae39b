/* Runs a recorded interleaving with real threads.
 *
 * One thread runs at a time. Before every visible step a thread calls __replay_step, gives its turn back, and waits until
 * the schedule names it. Locks, condition variables and so on are the functions of the library as unthread understands
 * them, compiled into the program, so that also a wake-up without reason happens when the schedule says so. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
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

static void give_turn_back(void) {
    if (running == self) running = -1;
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
        if (replay_schedule[i].thread == self) return;
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
        if (replay_schedule[i].thread == self) return;
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

static void must_wait(void) {
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

void __replay_free(void *memory) {
#ifdef REPLAY_FREES
    free(memory);
#else
    (void)memory;
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
    for (int thread = 0; old && thread < REPLAY_MAX_THREADS; thread++)
        for (int index = 0; index < threads[thread].block_count; index++) {
            struct block *other = &threads[thread].blocks[index];
            if (other->memory == old) memcpy(block, old, other->size < size ? other->size : size);
        }
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
