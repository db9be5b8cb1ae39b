/* What the POSIX and C11 thread functions mean, in terms of the core operations.
 *
 * The state of a lock lives in the bytes of the user's own object, at the offsets of the C library, so that static
 * initializers mean what they mean there. An id of a thread is a small positive number. Time is not modelled: a
 * timeout may pass at any moment. Creating a thread and initializing an object never fails.
 *
 * The attributes `ut_locks` and their like say what a function does with the object of its first argument. Spin locks
 * need to be prepared as well, but that they are locks matters more. */

typedef unsigned long ut_id;
ut_id pthread_self(void);

enum { UT_EPERM = 1, UT_EAGAIN = 11, UT_EBUSY = 16, UT_EINVAL = 22, UT_EDEADLK = 35, UT_ETIMEDOUT = 110 };
enum { UT_NORMAL = 0, UT_RECURSIVE = 1, UT_ERRORCHECK = 2 };

/* ---- mutexes: `lock` is 0, the id of the holder, or -1 after destroy ---- */

struct ut_mutex { int lock; unsigned count; int owner; char gap[sizeof(long) - 4]; int kind; };

__attribute__((ut_initializes)) int pthread_mutex_init(struct ut_mutex *m, int *attributes) {
    __VERIFIER_atomic_begin();
    m->lock = 0;
    m->count = 0;
    m->owner = 0;
    m->kind = attributes ? *attributes : UT_NORMAL;
    __VERIFIER_atomic_end();
    return 0;
}

__attribute__((ut_uses)) int pthread_mutex_destroy(struct ut_mutex *m) {
    __VERIFIER_atomic_begin();
    int lock = m->lock;
    if (lock > 0) __unthread_misuse("a locked mutex is destroyed");
    if (lock == -1) __unthread_misuse("a mutex is destroyed twice");
    m->lock = -1;
    __VERIFIER_atomic_end();
    return 0;
}

__attribute__((ut_locks)) int pthread_mutex_lock(struct ut_mutex *m) {
    int self = (int)pthread_self();
    __VERIFIER_atomic_begin();
    int lock = m->lock;
    if (lock == -1) __unthread_misuse("a destroyed mutex is locked");
    if (lock == self && m->kind != UT_NORMAL) {
        int result = UT_EDEADLK;
        if (m->kind == UT_RECURSIVE) {
            m->count = m->count + 1;
            result = 0;
        }
        __VERIFIER_atomic_end();
        return result;
    }
    __unthread_await_holder(lock == 0, lock);
    m->lock = self;
    __VERIFIER_atomic_end();
    return 0;
}

static __attribute__((ut_uses)) int ut_try_lock(struct ut_mutex *m, int busy) {
    int self = (int)pthread_self();
    int result = 0;
    __VERIFIER_atomic_begin();
    int lock = m->lock;
    if (lock == -1) __unthread_misuse("a destroyed mutex is locked");
    if (lock == 0) m->lock = self;
    else if (lock == self && m->kind == UT_RECURSIVE) m->count = m->count + 1;
    else result = busy;
    __VERIFIER_atomic_end();
    return result;
}

__attribute__((ut_tries)) int pthread_mutex_trylock(struct ut_mutex *m) { return ut_try_lock(m, UT_EBUSY); }

/* Getting the lock later is the same as being scheduled later; so only "now or never" is left. */
__attribute__((ut_tries)) int pthread_mutex_timedlock(struct ut_mutex *m, void *time) { return ut_try_lock(m, UT_ETIMEDOUT); }
__attribute__((ut_tries)) int pthread_mutex_clocklock(struct ut_mutex *m, int clock, void *time) { return ut_try_lock(m, UT_ETIMEDOUT); }

static __attribute__((ut_uses)) int ut_unlock(struct ut_mutex *m, int self) {
    int lock = m->lock;
    if (lock == -1) __unthread_misuse("a destroyed mutex is unlocked");
    if (lock != self) {
        if (m->kind != UT_NORMAL) return UT_EPERM;
        __unthread_misuse(lock == 0 ? "a mutex is unlocked that nobody holds" : "a mutex is unlocked that another thread holds");
    }
    if (m->kind == UT_RECURSIVE && m->count > 0) {
        m->count = m->count - 1;
        return 0;
    }
    m->lock = 0;
    return 0;
}

__attribute__((ut_unlocks)) int pthread_mutex_unlock(struct ut_mutex *m) {
    int self = (int)pthread_self();
    __VERIFIER_atomic_begin();
    int result = ut_unlock(m, self);
    __VERIFIER_atomic_end();
    return result;
}

__attribute__((ut_prepares)) int pthread_mutexattr_init(int *a) { *a = UT_NORMAL; return 0; }
__attribute__((ut_uses_prepared)) int pthread_mutexattr_destroy(int *a) { return 0; }
__attribute__((ut_uses_prepared)) int pthread_mutexattr_settype(int *a, int kind) {
    /* adaptive mutexes (3) behave as normal ones */
    if (kind < 0 || kind > 3) return UT_EINVAL;
    *a = kind == 3 ? UT_NORMAL : kind;
    return 0;
}
__attribute__((ut_uses_prepared)) int pthread_mutexattr_gettype(int *a, int *kind) { *kind = *a; return 0; }
__attribute__((ut_uses_prepared)) int pthread_mutexattr_setpshared(int *a, int shared) { return 0; }
__attribute__((ut_uses_prepared)) int pthread_mutexattr_setprotocol(int *a, int protocol) { return 0; }

/* ---- condition variables: sets of waiting and of woken threads ---- */

struct ut_cond { unsigned long long waiting; unsigned long long woken; int destroyed; };

static unsigned long long ut_my_bit(void) {
    int self = (int)pthread_self();
    if (self > 64) __unthread_limit("condition variables or read-write locks with more than 64 threads");
    return 1ULL << (self - 1);
}

__attribute__((ut_uses)) int pthread_cond_init(struct ut_cond *c, void *attributes) {
    __VERIFIER_atomic_begin();
    c->waiting = 0;
    c->woken = 0;
    c->destroyed = 0;
    __VERIFIER_atomic_end();
    return 0;
}

__attribute__((ut_uses)) int pthread_cond_destroy(struct ut_cond *c) {
    __VERIFIER_atomic_begin();
    if (c->destroyed) __unthread_misuse("a condition variable is destroyed twice");
    if (c->waiting & ~c->woken) __unthread_misuse("a condition variable is destroyed while a thread waits for it");
    c->destroyed = 1;
    __VERIFIER_atomic_end();
    return 0;
}

static __attribute__((ut_waits)) void ut_start_waiting(struct ut_cond *c, struct ut_mutex *m, unsigned long long me) {
    if (c->destroyed) __unthread_misuse("a thread waits for a destroyed condition variable");
    if (m->lock != (int)pthread_self()) __unthread_misuse("a thread waits for a condition without holding the mutex");
    c->waiting = c->waiting | me;
    m->lock = 0;
}

__attribute__((ut_sleeps)) int pthread_cond_wait(struct ut_cond *c, struct ut_mutex *m) {
    unsigned long long me = ut_my_bit();
    __VERIFIER_atomic_begin();
    ut_start_waiting(c, m, me);
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    __unthread_await_or_spurious((c->woken & me) != 0);
    c->woken = c->woken & ~me;
    c->waiting = c->waiting & ~me;
    __VERIFIER_atomic_end();
    pthread_mutex_lock(m);
    return 0;
}

static __attribute__((ut_uses)) int ut_timed_wait(struct ut_cond *c, struct ut_mutex *m, int timeout) {
    unsigned long long me = ut_my_bit();
    __VERIFIER_atomic_begin();
    ut_start_waiting(c, m, me);
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    int woken = (c->woken & me) != 0;
    c->woken = c->woken & ~me;
    c->waiting = c->waiting & ~me;
    __VERIFIER_atomic_end();
    pthread_mutex_lock(m);
    if (woken) return 0;
    return __unthread_spurious() ? 0 : timeout;
}

__attribute__((ut_sleeps)) int pthread_cond_timedwait(struct ut_cond *c, struct ut_mutex *m, void *time) {
    return ut_timed_wait(c, m, UT_ETIMEDOUT);
}
__attribute__((ut_sleeps)) int pthread_cond_clockwait(struct ut_cond *c, struct ut_mutex *m, int clock, void *time) {
    return ut_timed_wait(c, m, UT_ETIMEDOUT);
}

__attribute__((ut_signals)) int pthread_cond_signal(struct ut_cond *c) {
    __VERIFIER_atomic_begin();
    if (c->destroyed) __unthread_misuse("a destroyed condition variable is signalled");
    unsigned long long asleep = c->waiting & ~c->woken;
    if (asleep != 0) c->woken = c->woken | __unthread_choose(asleep);
    __VERIFIER_atomic_end();
    return 0;
}

__attribute__((ut_broadcasts)) int pthread_cond_broadcast(struct ut_cond *c) {
    __VERIFIER_atomic_begin();
    if (c->destroyed) __unthread_misuse("a destroyed condition variable is signalled");
    c->woken = c->waiting;
    __VERIFIER_atomic_end();
    return 0;
}

__attribute__((ut_prepares)) int pthread_condattr_init(void *a) { return 0; }
__attribute__((ut_uses_prepared)) int pthread_condattr_destroy(void *a) { return 0; }
__attribute__((ut_uses_prepared)) int pthread_condattr_setclock(void *a, int clock) { return 0; }
__attribute__((ut_uses_prepared)) int pthread_condattr_setpshared(void *a, int shared) { return 0; }

/* ---- readers-writer locks ---- */

/* Who reads is known: `readers[k]` is the set of threads that hold more than k read locks. A thread may hold up to
 * three of one lock; a fourth is beyond what is modelled, and so are more than 64 threads. */
enum { UT_READ_LOCKS = 3 };
struct ut_rwlock { int writer; int gap; unsigned long long readers[UT_READ_LOCKS]; };

__attribute__((ut_initializes)) int pthread_rwlock_init(struct ut_rwlock *l, void *attributes) {
    __VERIFIER_atomic_begin();
    l->readers[0] = 0;
    l->readers[1] = 0;
    l->readers[2] = 0;
    l->writer = 0;
    __VERIFIER_atomic_end();
    return 0;
}

static __attribute__((ut_uses)) void ut_start_reading(struct ut_rwlock *l, unsigned long long me) {
    if (!(l->readers[0] & me)) l->readers[0] = l->readers[0] | me;
    else if (!(l->readers[1] & me)) l->readers[1] = l->readers[1] | me;
    else if (!(l->readers[2] & me)) l->readers[2] = l->readers[2] | me;
    else __unthread_limit("a thread that holds more than 3 read locks of one read-write lock");
}
static __attribute__((ut_uses)) void ut_end_reading(struct ut_rwlock *l, unsigned long long me) {
    if (!(l->readers[0] & me)) __unthread_misuse("a read-write lock is unlocked that this thread does not hold");
    if (l->readers[2] & me) l->readers[2] = l->readers[2] & ~me;
    else if (l->readers[1] & me) l->readers[1] = l->readers[1] & ~me;
    else l->readers[0] = l->readers[0] & ~me;
}

__attribute__((ut_uses)) int pthread_rwlock_destroy(struct ut_rwlock *l) {
    __VERIFIER_atomic_begin();
    if (l->writer == -1) __unthread_misuse("a read-write lock is destroyed twice");
    if (l->writer != 0 || l->readers[0] != 0) __unthread_misuse("a held read-write lock is destroyed");
    l->writer = -1;
    __VERIFIER_atomic_end();
    return 0;
}

__attribute__((ut_locks_shared)) int pthread_rwlock_rdlock(struct ut_rwlock *l) {
    int self = (int)pthread_self();
    unsigned long long me = ut_my_bit();
    int result = 0;
    __VERIFIER_atomic_begin();
    int writer = l->writer;
    if (writer == -1) __unthread_misuse("a destroyed read-write lock is used");
    if (writer == self) result = UT_EDEADLK;
    else {
        __unthread_await_holder(writer == 0, writer);
        ut_start_reading(l, me);
    }
    __VERIFIER_atomic_end();
    return result;
}

__attribute__((ut_locks)) int pthread_rwlock_wrlock(struct ut_rwlock *l) {
    int self = (int)pthread_self();
    int result = 0;
    __VERIFIER_atomic_begin();
    int writer = l->writer;
    if (writer == -1) __unthread_misuse("a destroyed read-write lock is used");
    if (writer == self) result = UT_EDEADLK;
    else {
        __unthread_await_holder(writer == 0 && l->readers[0] == 0, writer);
        l->writer = self;
    }
    __VERIFIER_atomic_end();
    return result;
}

static __attribute__((ut_uses)) int ut_try_read(struct ut_rwlock *l, int busy) {
    unsigned long long me = ut_my_bit();
    int result = 0;
    __VERIFIER_atomic_begin();
    if (l->writer == -1) __unthread_misuse("a destroyed read-write lock is used");
    if (l->writer == 0) ut_start_reading(l, me);
    else result = busy;
    __VERIFIER_atomic_end();
    return result;
}

static __attribute__((ut_uses)) int ut_try_write(struct ut_rwlock *l, int busy) {
    int self = (int)pthread_self();
    int result = 0;
    __VERIFIER_atomic_begin();
    if (l->writer == -1) __unthread_misuse("a destroyed read-write lock is used");
    if (l->writer == 0 && l->readers[0] == 0) l->writer = self;
    else result = busy;
    __VERIFIER_atomic_end();
    return result;
}

__attribute__((ut_tries_shared)) int pthread_rwlock_tryrdlock(struct ut_rwlock *l) { return ut_try_read(l, UT_EBUSY); }
__attribute__((ut_tries)) int pthread_rwlock_trywrlock(struct ut_rwlock *l) { return ut_try_write(l, UT_EBUSY); }
__attribute__((ut_tries_shared)) int pthread_rwlock_timedrdlock(struct ut_rwlock *l, void *time) { return ut_try_read(l, UT_ETIMEDOUT); }
__attribute__((ut_tries)) int pthread_rwlock_timedwrlock(struct ut_rwlock *l, void *time) { return ut_try_write(l, UT_ETIMEDOUT); }

__attribute__((ut_unlocks)) int pthread_rwlock_unlock(struct ut_rwlock *l) {
    int self = (int)pthread_self();
    unsigned long long me = ut_my_bit();
    __VERIFIER_atomic_begin();
    int writer = l->writer;
    if (writer == -1) __unthread_misuse("a destroyed read-write lock is used");
    if (writer == self) l->writer = 0;
    else ut_end_reading(l, me);
    __VERIFIER_atomic_end();
    return 0;
}

__attribute__((ut_prepares)) int pthread_rwlockattr_init(void *a) { return 0; }
__attribute__((ut_uses_prepared)) int pthread_rwlockattr_destroy(void *a) { return 0; }
__attribute__((ut_uses_prepared)) int pthread_rwlockattr_setpshared(void *a, int shared) { return 0; }
__attribute__((ut_uses_prepared)) int pthread_rwlockattr_setkind_np(void *a, int kind) {
    /* 2: readers wait for waiting writers. 1 is said to be that, and is not. */
    if (kind == 2) __unthread_limit("read-write locks that prefer writers");
    return 0;
}

/* ---- barriers ---- */

struct ut_barrier { unsigned total; unsigned arrived; unsigned generation; };

__attribute__((ut_prepares)) int pthread_barrier_init(struct ut_barrier *b, void *attributes, unsigned total) {
    if (total == 0) return UT_EINVAL;
    __VERIFIER_atomic_begin();
    b->total = total;
    b->arrived = 0;
    b->generation = 0;
    __VERIFIER_atomic_end();
    return 0;
}

__attribute__((ut_uses_prepared)) int pthread_barrier_destroy(struct ut_barrier *b) {
    __VERIFIER_atomic_begin();
    if (b->arrived != 0) __unthread_misuse("a barrier is destroyed while threads wait at it");
    b->total = 0;
    __VERIFIER_atomic_end();
    return 0;
}

__attribute__((ut_uses_prepared)) int pthread_barrier_wait(struct ut_barrier *b) {
    __VERIFIER_atomic_begin();
    if (b->total == 0) __unthread_misuse("a thread waits at a barrier that is not initialized");
    unsigned generation = b->generation;
    unsigned arrived = b->arrived + 1;
    int last = arrived == b->total;
    b->arrived = last ? 0 : arrived;
    if (last) b->generation = generation + 1;
    __VERIFIER_atomic_end();
    if (last) return -1;
    __VERIFIER_atomic_begin();
    __unthread_await(b->generation != generation);
    __VERIFIER_atomic_end();
    return 0;
}

__attribute__((ut_prepares)) int pthread_barrierattr_init(void *a) { return 0; }
__attribute__((ut_uses_prepared)) int pthread_barrierattr_destroy(void *a) { return 0; }
__attribute__((ut_uses_prepared)) int pthread_barrierattr_setpshared(void *a, int shared) { return 0; }

/* ---- spin locks ---- */

__attribute__((ut_prepares)) int pthread_spin_init(int *l, int shared) { *l = 0; return 0; }
__attribute__((ut_uses_prepared)) int pthread_spin_destroy(int *l) {
    __VERIFIER_atomic_begin();
    if (*l > 0) __unthread_misuse("a held spin lock is destroyed");
    *l = -1;
    __VERIFIER_atomic_end();
    return 0;
}
__attribute__((ut_locks)) int pthread_spin_lock(int *l) {
    int self = (int)pthread_self();
    __VERIFIER_atomic_begin();
    int lock = *l;
    if (lock == -1) __unthread_misuse("a destroyed spin lock is locked");
    __unthread_await_holder(lock == 0, lock);
    *l = self;
    __VERIFIER_atomic_end();
    return 0;
}
__attribute__((ut_tries)) int pthread_spin_trylock(int *l) {
    int self = (int)pthread_self();
    int result = 0;
    __VERIFIER_atomic_begin();
    if (*l == 0) *l = self;
    else result = UT_EBUSY;
    __VERIFIER_atomic_end();
    return result;
}
__attribute__((ut_unlocks)) int pthread_spin_unlock(int *l) {
    int self = (int)pthread_self();
    __VERIFIER_atomic_begin();
    if (*l != self) __unthread_misuse("a spin lock is unlocked that this thread does not hold");
    *l = 0;
    __VERIFIER_atomic_end();
    return 0;
}

/* ---- once ---- */

int pthread_once(int *control, void (*routine)(void)) {
    __VERIFIER_atomic_begin();
    int state = *control;
    if (state == 0) *control = 1;
    __VERIFIER_atomic_end();
    if (state == 0) {
        routine();
        __VERIFIER_atomic_begin();
        *control = 2;
        __VERIFIER_atomic_end();
    } else if (state == 1) {
        __VERIFIER_atomic_begin();
        __unthread_await(*control == 2);
        __VERIFIER_atomic_end();
    }
    return 0;
}

/* ---- thread-specific data ---- */

enum { UT_KEYS = 32 };
static int ut_key_used[UT_KEYS];
static void (*ut_key_destructor[UT_KEYS])(void *);
static _Thread_local void *ut_key_value[UT_KEYS];

int pthread_key_create(unsigned *key, void (*destructor)(void *)) {
    __VERIFIER_atomic_begin();
    unsigned k = 0;
    while (k < UT_KEYS && ut_key_used[k]) k++;
    if (k == UT_KEYS) __unthread_limit("more than 32 keys of thread-specific data");
    ut_key_used[k] = 1;
    ut_key_destructor[k] = destructor;
    __VERIFIER_atomic_end();
    *key = k;
    return 0;
}

/* Of a key that exists: anything else is undefined. */
static void ut_check_key(unsigned key) {
    if (key >= UT_KEYS || ut_key_used[key] != 1) __unthread_misuse("a key of thread-specific data is used that does not exist");
}

int pthread_key_delete(unsigned key) {
    ut_check_key(key);
    ut_key_used[key] = 2; /* never handed out again: threads may still hold values under it */
    ut_key_destructor[key] = 0;
    return 0;
}

int pthread_setspecific(unsigned key, void *value) {
    ut_check_key(key);
    ut_key_value[key] = value;
    return 0;
}

void *pthread_getspecific(unsigned key) {
    ut_check_key(key);
    return ut_key_value[key];
}

/* ---- handlers for the end of a thread in the middle of what it does (pthread_cleanup_push) ---- */

enum { UT_CLEANUPS = 16 };
static _Thread_local void (*ut_cleanup[UT_CLEANUPS])(void *);
static _Thread_local void *ut_cleanup_argument[UT_CLEANUPS];
static _Thread_local int ut_cleanups;

/* As musl writes the macros, and as programs of the first C libraries call them; glibc's are read as these. */
void _pthread_cleanup_push(void *frame, void (*routine)(void *), void *argument) {
    if (ut_cleanups == UT_CLEANUPS) __unthread_limit("more than 16 cleanup handlers of one thread");
    ut_cleanup[ut_cleanups] = routine;
    ut_cleanup_argument[ut_cleanups] = argument;
    ut_cleanups = ut_cleanups + 1;
}
void _pthread_cleanup_pop(void *frame, int run) {
    ut_cleanups = ut_cleanups - 1;
    if (run) ut_cleanup[ut_cleanups](ut_cleanup_argument[ut_cleanups]);
}

/* Runs at the end of every thread: its handlers, the last one first, and then destructors in at most four rounds, as POSIX
 * allows. */
void ut_run_destructors(void) {
    while (ut_cleanups > 0) _pthread_cleanup_pop(0, 1);
    for (int round = 0; round < 4; round++) {
        int again = 0;
        for (unsigned k = 0; k < UT_KEYS; k++) {
            void *value = ut_key_value[k];
            if (value == 0) continue;
            ut_key_value[k] = 0;
            if (ut_key_destructor[k]) {
                ut_key_destructor[k](value);
                again = 1;
            }
        }
        if (!again) return;
    }
}

/* ---- semaphores ---- */

int *__errno_location(void);
struct ut_semaphore { unsigned value; };

enum { UT_SEMAPHORE_MAX = 0x7fffffff, UT_EOVERFLOW = 75 };
/* The value of a semaphore that was destroyed. */
enum { UT_NO_SEMAPHORE = -1 };

__attribute__((ut_prepares)) int sem_init(struct ut_semaphore *s, int shared, unsigned value) {
    if (value > UT_SEMAPHORE_MAX) {
        *__errno_location() = UT_EINVAL;
        return -1;
    }
    __VERIFIER_atomic_begin();
    s->value = value;
    __VERIFIER_atomic_end();
    return 0;
}
__attribute__((ut_uses_prepared)) int sem_destroy(struct ut_semaphore *s) {
    __VERIFIER_atomic_begin();
    if (s->value == (unsigned)UT_NO_SEMAPHORE) __unthread_misuse("a destroyed semaphore is destroyed");
    s->value = (unsigned)UT_NO_SEMAPHORE;
    __VERIFIER_atomic_end();
    return 0;
}
__attribute__((ut_uses_prepared)) int sem_wait(struct ut_semaphore *s) {
    __VERIFIER_atomic_begin();
    unsigned value = s->value;
    if (value == (unsigned)UT_NO_SEMAPHORE) __unthread_misuse("a destroyed semaphore is waited for");
    __unthread_await(value > 0);
    s->value = value - 1;
    __VERIFIER_atomic_end();
    return 0;
}
static __attribute__((ut_uses_prepared)) int ut_try_wait(struct ut_semaphore *s, int failure) {
    int success = 0;
    __VERIFIER_atomic_begin();
    unsigned value = s->value;
    if (value == (unsigned)UT_NO_SEMAPHORE) __unthread_misuse("a destroyed semaphore is waited for");
    if (value > 0) {
        s->value = value - 1;
        success = 1;
    }
    __VERIFIER_atomic_end();
    if (success) return 0;
    *__errno_location() = failure;
    return -1;
}
__attribute__((ut_uses_prepared)) int sem_trywait(struct ut_semaphore *s) { return ut_try_wait(s, UT_EAGAIN); }
__attribute__((ut_uses_prepared)) int sem_timedwait(struct ut_semaphore *s, void *time) { return ut_try_wait(s, UT_ETIMEDOUT); }
__attribute__((ut_uses_prepared)) int sem_clockwait(struct ut_semaphore *s, int clock, void *time) { return ut_try_wait(s, UT_ETIMEDOUT); }
__attribute__((ut_uses_prepared)) int sem_post(struct ut_semaphore *s) {
    int full = 0;
    __VERIFIER_atomic_begin();
    unsigned value = s->value;
    if (value == (unsigned)UT_NO_SEMAPHORE) __unthread_misuse("a destroyed semaphore is posted");
    if (value == UT_SEMAPHORE_MAX) full = 1;
    else s->value = value + 1;
    __VERIFIER_atomic_end();
    if (!full) return 0;
    *__errno_location() = UT_EOVERFLOW;
    return -1;
}
__attribute__((ut_uses_prepared)) int sem_getvalue(struct ut_semaphore *s, int *value) {
    __VERIFIER_atomic_begin();
    if (s->value == (unsigned)UT_NO_SEMAPHORE) __unthread_misuse("a destroyed semaphore is read");
    int now = (int)s->value;
    __VERIFIER_atomic_end();
    *value = now;
    return 0;
}

/* ---- threads: attributes and small change ---- */

int pthread_equal(ut_id a, ut_id b) { return a == b; }
__attribute__((ut_prepares)) int pthread_attr_init(int *a) { *a = 0; return 0; }
__attribute__((ut_uses_prepared)) int pthread_attr_destroy(int *a) { return 0; }
__attribute__((ut_uses_prepared)) int pthread_attr_setdetachstate(int *a, int state) { *a = state; return 0; }
__attribute__((ut_uses_prepared)) int pthread_attr_getdetachstate(int *a, int *state) { *state = *a; return 0; }
__attribute__((ut_uses_prepared)) int pthread_attr_setstacksize(void *a, unsigned long size) { return 0; }
__attribute__((ut_uses_prepared)) int pthread_attr_setguardsize(void *a, unsigned long size) { return 0; }
__attribute__((ut_uses_prepared)) int pthread_attr_setscope(void *a, int scope) { return 0; }
__attribute__((ut_uses_prepared)) int pthread_attr_setschedpolicy(void *a, int policy) { return 0; }
__attribute__((ut_uses_prepared)) int pthread_attr_setschedparam(void *a, void *parameters) { return 0; }
__attribute__((ut_uses_prepared)) int pthread_attr_setinheritsched(void *a, int inherit) { return 0; }
int pthread_setconcurrency(int level) { return 0; }
int pthread_setname_np(ut_id thread, char *name) { return 0; }
/* Nobody forks. */
int pthread_atfork(void (*before)(void), void (*parent)(void), void (*child)(void)) { return 0; }
/* What becomes of a robust mutex whose holder has ended is not modelled. */
int pthread_mutexattr_setrobust(int *attributes, int robust) {
    if (robust != 0 && robust != 1) return UT_EINVAL;
    if (robust) __unthread_limit("a robust mutex");
    return 0;
}
int pthread_setschedparam(ut_id thread, int policy, void *parameters) { return 0; }
int pthread_setaffinity_np(ut_id thread, unsigned long size, void *set) { return 0; }
/* There is no pthread_cancel, so that these change nothing but what they tell later. */
static _Thread_local int ut_cancel_state, ut_cancel_type;
int pthread_setcancelstate(int state, int *old) {
    if (state != 0 && state != 1) return UT_EINVAL;
    if (old) *old = ut_cancel_state;
    ut_cancel_state = state;
    return 0;
}
int pthread_setcanceltype(int type, int *old) {
    if (type != 0 && type != 1) return UT_EINVAL;
    if (old) *old = ut_cancel_type;
    ut_cancel_type = type;
    return 0;
}
void pthread_testcancel(void) {}

/* ---- C11 threads ---- */

enum { UT_SUCCESS = 0, UT_BUSY = 1, UT_ERROR = 2, UT_TIMEDOUT = 4 };

int mtx_init(struct ut_mutex *m, int type) {
    int kind = (type & 1) ? UT_RECURSIVE : UT_NORMAL;
    pthread_mutex_init(m, &kind);
    return UT_SUCCESS;
}
void mtx_destroy(struct ut_mutex *m) { pthread_mutex_destroy(m); }
int mtx_lock(struct ut_mutex *m) { return pthread_mutex_lock(m) == 0 ? UT_SUCCESS : UT_ERROR; }
__attribute__((ut_tries)) int mtx_trylock(struct ut_mutex *m) { return ut_try_lock(m, UT_BUSY); }
__attribute__((ut_tries)) int mtx_timedlock(struct ut_mutex *m, void *time) { return ut_try_lock(m, UT_TIMEDOUT); }
int mtx_unlock(struct ut_mutex *m) { return pthread_mutex_unlock(m) == 0 ? UT_SUCCESS : UT_ERROR; }
int cnd_init(struct ut_cond *c) { return pthread_cond_init(c, 0); }
void cnd_destroy(struct ut_cond *c) { pthread_cond_destroy(c); }
__attribute__((ut_sleeps)) int cnd_wait(struct ut_cond *c, struct ut_mutex *m) { return pthread_cond_wait(c, m); }
__attribute__((ut_sleeps)) int cnd_timedwait(struct ut_cond *c, struct ut_mutex *m, void *time) { return ut_timed_wait(c, m, UT_TIMEDOUT); }
int cnd_signal(struct ut_cond *c) { return pthread_cond_signal(c); }
int cnd_broadcast(struct ut_cond *c) { return pthread_cond_broadcast(c); }
int tss_create(unsigned *key, void (*destructor)(void *)) { return pthread_key_create(key, destructor); }
void tss_delete(unsigned key) { pthread_key_delete(key); }
int tss_set(unsigned key, void *value) { return pthread_setspecific(key, value) == 0 ? UT_SUCCESS : UT_ERROR; }
void *tss_get(unsigned key) { return pthread_getspecific(key); }
void call_once(int *control, void (*routine)(void)) { pthread_once(control, routine); }
int thrd_equal(ut_id a, ut_id b) { return a == b; }
int thrd_sleep(void *time, void *rest) { return 0; }
