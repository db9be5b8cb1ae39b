//! Rules of the reductions of the states, one program each that a broken rule decides wrongly. The formulas are not asked,
//! because they would find these errors before the states.

use crate::bounded::budget;
use unthread::analysis::race::Suspects;
use unthread::il::DataModel;
use unthread::il::interpret::Code;
use unthread::property::{ErrorKind, MemoryModel, Property};
use unthread::solve::states::{self, StateSearch};
use unthread::solve::{Answer, Engine, Question, Scope};

const HEAD: &str = "typedef union { char size[40]; long align; } pthread_mutex_t;
int pthread_create(unsigned long *, void *, void *(*)(void *), void *);
int pthread_join(unsigned long, void **);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
void exit(int);
void __VERIFIER_assert(int);
pthread_mutex_t m;
int x, y, own;
";

/// Two threads; does something fail?
fn fails(first: &str, second: &str) -> bool {
    let text = format!(
        "{HEAD}void *f(void *p) {{ {first} return 0; }}\nvoid *g(void *p) {{ {second} return 0; }}\nint main(void) {{ \
         unsigned long a, b; own = 1; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); pthread_join(a, 0); \
         pthread_join(b, 0); return 0; }}\n"
    );
    let read = unthread::read("rule.c", text, DataModel::Lp64).unwrap_or_else(|error| {
        panic!("{}", error.diagnostic.render(Some(&error.source)));
    });
    let program = unthread::normalize(read.program);
    let property = Property::new([ErrorKind::Assertion]);
    let code = Code::looking_for(&program, &property);
    let options = states::options(&code, &property, MemoryModel::AsWritten, &budget());
    assert!(!options.quiet.is_empty() && !options.live.is_empty(), "nothing is reduced");
    let suspects = &Suspects::All;
    let question = Question { program: &program, property: &property, suspects, scope: Scope::Whole, budget: budget() };
    match StateSearch::new(&code, &options).ask(&question, &mut |_| {}) {
        Ok(Answer::Bug(_)) => true,
        Ok(Answer::NoBug) => false,
        Ok(other) => panic!("no answer: {other:?}"),
        Err(diagnostic) => panic!("{}", diagnostic.message),
    }
}

/// Who goes round in circles by itself does not keep the others from failing.
#[test]
fn an_endless_thread_does_not_hide_others() {
    let circle = "while (1) own = !own;";
    assert!(fails(circle, "__VERIFIER_assert(0);"));
    assert!(!fails(circle, "__VERIFIER_assert(1);"));
}

/// That a lock is held can be seen by who tries to take it, so that giving it back is a step.
#[test]
fn who_tries_sees_that_a_lock_is_held() {
    // Something follows, because the end of a thread is a step in any case.
    let holds = "pthread_mutex_lock(&m); pthread_mutex_unlock(&m); x = 1;";
    let tries = |result: &str| {
        format!(
            "int r = pthread_mutex_trylock(&m); __VERIFIER_assert({result}); if (r == 0) pthread_mutex_unlock(&m); y = x;"
        )
    };
    assert!(fails(holds, &tries("r == 0")));
    assert!(!fails(holds, &tries("r == 0 || r == 16")));
}

/// A step that ends the process ends the others too: they must be followed before it.
#[test]
fn the_end_of_the_process_does_not_hide_others() {
    let ends = "own = 2; exit(0);";
    assert!(fails(ends, "__VERIFIER_assert(x == 1);"));
    assert!(!fails(ends, "__VERIFIER_assert(x == 0);"));
}

/// What one thread writes outside of the lock makes a difference to who reads it within.
#[test]
fn a_lock_that_only_one_takes_protects_nothing() {
    let reads = "pthread_mutex_lock(&m); int before = x; int after = x; __VERIFIER_assert(before == after); \
        pthread_mutex_unlock(&m);";
    assert!(fails(reads, "x = 1;"));
    assert!(!fails(reads, "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);"));
}

/// A register that is read on one of two ways is kept.
#[test]
fn what_is_read_later_is_not_forgotten() {
    let later = |bound: u32| {
        format!(
            "int seen = x; pthread_mutex_lock(&m); y++; pthread_mutex_unlock(&m); if (own == 5) y = 7; else __VERIFIER_assert(seen < {bound});"
        )
    };
    assert!(fails(&later(1), "x = 1;"));
    assert!(!fails(&later(2), "x = 1;"));
}
