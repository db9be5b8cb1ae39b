//! The number of interleavings of tiny programs, worked out by hand.

use unthread::il::DataModel;
use unthread::il::interpret::{Code, Exploration, ExploreOptions, explore};

const DECLARATIONS: &str = "
    int pthread_create(unsigned long *, void *, void *(*)(void *), void *);
    int pthread_join(unsigned long, void **);
    typedef union { char size[40]; long align; } pthread_mutex_t;
    int pthread_mutex_lock(pthread_mutex_t *);
    int pthread_mutex_unlock(pthread_mutex_t *);
    void __VERIFIER_atomic_begin(void);
    void __VERIFIER_atomic_end(void);
    _Bool __VERIFIER_nondet_bool(void);
";

fn explored(program: &str) -> Exploration {
    let text = format!("{DECLARATIONS}{program}");
    let read = unthread::read("tiny.c", text, DataModel::Lp64)
        .unwrap_or_else(|error| panic!("{}", error.diagnostic.render(Some(&error.source))));
    let program = unthread::normalize(read.program);
    explore(&Code::new(&program), &ExploreOptions::default())
}

/// `main` that starts these functions and joins them in order.
fn with_main(threads: &[&str]) -> String {
    let mut main = String::from("int main(void) { unsigned long t[4];");
    for (index, thread) in threads.iter().enumerate() {
        main += &format!("pthread_create(&t[{index}], 0, {thread}, 0);");
    }
    for index in 0..threads.len() {
        main += &format!("pthread_join(t[{index}], 0);");
    }
    main + "return 0; }"
}

fn executions(functions: &str, threads: &[&str]) -> u128 {
    let found = explored(&format!("{functions} {}", with_main(threads)));
    assert!(found.complete);
    assert!(found.failures.is_empty(), "{:?}", found.failures);
    found.executions.expect("these programs end")
}

/// Steps a, b and joins j1, j2 with a < j1 < j2 and b < j2: j2 is last, and of a, b, j1 only the order a < j1 is
/// fixed: 3! / 2 = 3.
#[test]
fn two_threads_with_one_store_each() {
    let functions = "int x; void *a(void *p) { x = 1; return 0; } void *b(void *p) { x = 2; return 0; }";
    assert_eq!(executions(functions, &["a", "b"]), 3);
}

/// `x++` is a read and a write: the chains r1 w1 j1 and r2 w2 merge in (5 choose 2) = 10 ways, then j2.
#[test]
fn an_increment_is_two_steps() {
    let functions = "int x; void *a(void *p) { x++; return 0; }";
    assert_eq!(executions(functions, &["a", "a"]), 10);
}

/// As two threads with one store each: an atomic section is one step.
#[test]
fn an_atomic_section_is_one_step() {
    let functions =
        "int x; void *a(void *p) { __VERIFIER_atomic_begin(); x++; x++; __VERIFIER_atomic_end(); return 0; }";
    assert_eq!(executions(functions, &["a", "a"]), 3);
}

/// Three stores: j3 is last; a, b, j1, j2 have the 3 orders of two threads, and c goes into any of 5 places: 15.
#[test]
fn three_threads_with_one_store_each() {
    let functions = "int x; void *a(void *p) { x = 1; return 0; }";
    assert_eq!(executions(functions, &["a", "a", "a"]), 15);
}

/// lock, read, write, unlock: four steps that the lock keeps together. First thread first: its join goes into any of
/// the 5 places around the second thread's steps. Second thread first: the join is forced. 5 + 1 = 6.
#[test]
fn a_mutex_keeps_critical_sections_apart() {
    let functions = "int x; pthread_mutex_t m;
        void *a(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }";
    assert_eq!(executions(functions, &["a", "a"]), 6);
}

/// Private work is no step: only the joins are, one after the other.
#[test]
fn private_data_does_not_interleave() {
    let functions = "void *a(void *p) { int i, s = 0; for (i = 0; i < 5; i++) s += i; return 0; }";
    assert_eq!(executions(functions, &["a", "a"]), 1);
}

/// One input bit doubles the three executions of two stores... of the thread that reads it: the read is no step.
#[test]
fn an_input_multiplies_the_executions() {
    let functions = "int x; void *a(void *p) { x = 1; return 0; }
        void *b(void *p) { _Bool c = __VERIFIER_nondet_bool(); x = c; return 0; }";
    assert_eq!(executions(functions, &["a", "b"]), 6);
}

/// Two threads that take two locks in opposite order: each may hold its first one.
#[test]
fn opposite_lock_orders_deadlock() {
    let functions = "pthread_mutex_t m, n;
        void *a(void *p) { pthread_mutex_lock(&m); pthread_mutex_lock(&n);
                           pthread_mutex_unlock(&n); pthread_mutex_unlock(&m); return 0; }
        void *b(void *p) { pthread_mutex_lock(&n); pthread_mutex_lock(&m);
                           pthread_mutex_unlock(&m); pthread_mutex_unlock(&n); return 0; }";
    let found = explored(&format!("{functions} {}", with_main(&["a", "b"])));
    let kinds: Vec<_> = found.failures.iter().map(|(failure, _)| failure.kind.name()).collect();
    assert_eq!(kinds, ["deadlock"]);
}
