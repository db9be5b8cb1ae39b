//! Rules of the reductions of the states, one program each that a broken rule decides wrongly. The formulas are not asked,
//! because they would find these errors before the states.

use crate::bounded::budget;
use crate::support::report;
use unthread::analysis::race::Suspects;
use unthread::il::DataModel;
use unthread::il::interpret::{Code, ExploreOptions, explore};
use unthread::isolate::Normalized;
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
int x, y, own;
int pthread_mutex_init(pthread_mutex_t *, const void *);
int atexit(void (*)(void));
pthread_mutex_t m, n, *p = &m, *q = &n;
union { pthread_mutex_t a, b; } both;
struct { pthread_mutex_t a; int c; } first;
static void take(pthread_mutex_t *l) { pthread_mutex_lock(l); }
static void give(pthread_mutex_t *l) { pthread_mutex_unlock(l); }
static void add(pthread_mutex_t *l) { pthread_mutex_lock(l); x++; pthread_mutex_unlock(l); }
static void add_m(void) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }
static void (*adds)(void) = add_m;
signed char c;
_Bool b;
struct { int first, array[2]; } s;
";

/// Two threads; does something fail?
fn fails(first: &str, second: &str) -> bool {
    fails_or_ends(first, second, "")
}

/// Likewise, or in what main does after both have ended.
fn fails_or_ends(first: &str, second: &str, at_end: &str) -> bool {
    let text = format!(
        "{HEAD}void *f(void *p) {{ {first} return 0; }}\nvoid *g(void *p) {{ {second} return 0; }}\nint main(void) {{ \
         unsigned long a, b; own = 1; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); pthread_join(a, 0); \
         pthread_join(b, 0); {at_end} return 0; }}\n"
    );
    let program = normalized(text);
    let (fails, _) = by_states(&program);
    fails
}

fn normalized(text: String) -> Normalized {
    let read = unthread::read("rule.c", text, DataModel::Lp64).unwrap_or_else(|error| {
        panic!("{}", error.diagnostic.render(Some(&error.source)));
    });
    unthread::normalize(read.program)
}

/// Does it fail, and how many states were visited?
fn by_states(program: &Normalized) -> (bool, usize) {
    let property = Property::new([ErrorKind::Assertion]);
    let code = Code::looking_for(program, &property);
    let options = states::options(&code, &property, MemoryModel::AsWritten, &budget());
    assert!(!options.quiet.is_empty() && !options.live.is_empty(), "nothing is reduced");
    let suspects = &Suspects::All;
    let question = Question { program, property: &property, suspects, scope: Scope::Whole, budget: budget() };
    let mut search = StateSearch::new(&code, &options);
    match search.ask(&question, &mut |_| {}) {
        Ok(Answer::Bug(_)) => (true, search.states()),
        Ok(Answer::NoBug) => (false, search.states()),
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

/// Threads that only count under a lock are followed in one order.
#[test]
fn counting_under_a_lock_is_followed_in_one_order() {
    let counter = |threads: u32, iterations: u32, section: &str| {
        let body = format!(
            "for (int i = 0; i < {iterations}; i++) {{ pthread_mutex_lock(&m); {section} pthread_mutex_unlock(&m); }}"
        );
        let end = threads * iterations;
        normalized(format!(
            "{HEAD}void *f(void *p) {{ {body} return 0; }}\nint main(void) {{ unsigned long t[{threads}]; \
             for (int i = 0; i < {threads}; i++) pthread_create(&t[i], 0, f, 0); \
             for (int i = 0; i < {threads}; i++) pthread_join(t[i], 0); __VERIFIER_assert(x == {end}); return 0; }}\n"
        ))
    };
    let (fails, few) = by_states(&counter(4, 3, "x++;"));
    assert!(!fails);
    // Nobody knows what is read of it and used for something else.
    let (fails, many) = by_states(&counter(4, 3, "x++; y = x;"));
    assert!(!fails && few * 4 < many, "{few} states, and {many} where order matters");
    assert!(by_states(&counter(2, 2, "if (y == 3) x++; x++; y++;")).0);
    let (fails, states) = by_states(&counter(24, 1, "x++;"));
    assert!(!fails && states < 10_000, "{states} states for 24 threads");
}

/// Sections of one lock do not commute if somebody else changes what they protect under another lock.
#[test]
fn another_lock_protects_nothing_from_sections_that_add() {
    let with = |lock: &str| {
        let text = format!(
            "{HEAD}void *f(void *a) {{ pthread_mutex_lock(&m); x += 1; pthread_mutex_unlock(&m); return 0; }}\n\
             void *g(void *a) {{ pthread_mutex_lock(&m); x += 2; pthread_mutex_unlock(&m); return 0; }}\n\
             void *h(void *a) {{ pthread_mutex_lock(&{lock}); x *= 2; pthread_mutex_unlock(&{lock}); return 0; }}\n\
             int main(void) {{ unsigned long t, u, v; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); \
             pthread_create(&v, 0, h, 0); pthread_join(t, 0); pthread_join(u, 0); pthread_join(v, 0); \
             __VERIFIER_assert(x != 5); return 0; }}\n"
        );
        by_states(&normalized(text)).0
    };
    // 0 + 2, twice that, and 1 more.
    assert!(with("n"));
    assert!(with("m"));
}

/// Two names of one lock are one lock: members of a union, or a struct and its first member.
#[test]
fn sections_of_one_lock_with_two_names_do_not_commute() {
    for (name, other) in [("&both.a", "&both.b"), ("&first.a", "(pthread_mutex_t *)&first")] {
        let first = format!("pthread_mutex_lock({name}); x++; pthread_mutex_unlock({name});");
        let with = |inner: &str, never: u32| {
            let second = format!("pthread_mutex_lock({other}); {inner} pthread_mutex_unlock({other});");
            fails_or_ends(&first, &second, &format!("__VERIFIER_assert(x != {never});"))
        };
        assert!(with("x = x * 2;", 1) && with("x = x * 2;", 2) && !with("x = x * 2;", 0));
        assert!(with("x++;", 2) && !with("x++;", 1));
    }
}

/// Two orders of these sections leave different values behind, or let somebody see which it was.
#[test]
fn sections_whose_order_can_be_told_are_followed_in_both() {
    let under = |inner: &str| format!("pthread_mutex_lock(&m); {inner} pthread_mutex_unlock(&m);");
    let add = under("x += 255;");
    let told = |never: u32| {
        let seen = under("int old = x; x = old + 1;");
        format!("{seen} __VERIFIER_assert(old != {never});")
    };
    assert!(fails(&told(255), &add) && fails(&add, &told(255)));
    assert!(fails(&told(0), &add) && fails(&add, &told(0)));
    assert!(!fails(&told(1), &add));
    // 0 + 255 is -1 as a signed char.
    let narrow = under("x = (signed char)x + 2;");
    let ends_with = |never: u32| fails_or_ends(&narrow, &add, &format!("__VERIFIER_assert(x != {never});"));
    assert!(ends_with(1) && ends_with(257) && !ends_with(2));
}

/// Names of locks, several for the same one. A program has few of them, so that its threads meet.
const LOCKS: [&[&str]; 6] = [
    &["&m"],
    &["&m", "&n"],
    &["&m", "&m", "p"],
    &["&m", "&n", "p", "q"],
    &["&both.a", "&both.b"],
    &["&first.a", "(pthread_mutex_t *)&first", "&m"],
];

/// A section, or something else that may stand in the way of taking it for one that commutes. `adds`: mostly sections
/// that only add to x.
fn section(random: &mut fastrand::Rng, locks: &[&str], adds: bool) -> String {
    let lock = *random.choice(locks).expect("not empty");
    let inner = match random.u8(if adds { 0..10 } else { 0..23 }) {
        0..=4 => "x++;",
        5 => "x += 2; y--;",
        6 => "x = x * 2;",
        7 => "x = 5 - x;",
        8 => "x = x + y;",
        9 => "old = x; x = old + 1; own = old;",
        10 => "c += 100;",
        11 => "b += 1;",
        12 => "if (y) x++;",
        13 => "x++; __VERIFIER_assert(x != 2);",
        14 => "s.first++; s.array[1] += 3;",
        15 => "s.array[x & 1] += 1;",
        16 => "y = 1;",
        17 => "x = (signed char)x + 2;",
        18 => "x++; return 0;",
        19 => "pthread_mutex_lock(&n); y++; pthread_mutex_unlock(&n);",
        20 => "x += l; l = l + 1;",
        21 => "x += 255;",
        _ => "l = x;",
    };
    match random.u8(..28) {
        0 => "x++;".to_owned(),
        1 => "l = y;".to_owned(),
        2 => format!("if (pthread_mutex_trylock({lock}) == 0) {{ {inner} pthread_mutex_unlock({lock}); }}"),
        3 => "__VERIFIER_assert(x != 3);".to_owned(),
        4 => format!("if (l) {{ pthread_mutex_lock({lock}); }} {inner} if (l) pthread_mutex_unlock({lock});"),
        5 => format!("take({lock}); {inner} give({lock});"),
        6 => format!("add({lock});"),
        7 => "adds();".to_owned(),
        8 => "if (x > 1) exit(0);".to_owned(),
        9 => format!("pthread_mutex_lock({lock}); old = x; x = old + 1; pthread_mutex_unlock({lock}); l = old;"),
        10 => "__VERIFIER_assert(l != 1);".to_owned(),
        _ => format!("pthread_mutex_lock({lock}); {inner} pthread_mutex_unlock({lock});"),
    }
}

/// The same verdict as all interleavings give, whatever is in the sections.
#[test]
fn sections_in_one_order_fail_as_in_all() {
    let (mut failing, mut holding, mut saved) = (0, 0, 0);
    let seeds = std::env::var("SECTION_SEEDS").ok().and_then(|count| count.parse().ok()).unwrap_or(700);
    for seed in 0..seeds {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut text = HEAD.to_owned();
        let (many, adds) = (random.u8(..3), random.bool());
        let locks = *random.choice(&LOCKS).expect("not empty");
        for name in ["f", "g"] {
            let body: Vec<String> = (0..random.u8(1..3)).map(|_| section(&mut random, locks, adds)).collect();
            text += &format!("void *{name}(void *a) {{ int l = 0, old; {} return 0; }}\n", body.join(" "));
        }
        let mine = if random.bool() { section(&mut random, locks, adds) } else { String::new() };
        let wanted = random.u8(1..5);
        let checked = if adds { "x" } else { random.choice(&["x", "y", "c", "s.first", "own"]).expect("not empty") };
        let third = if many == 0 { "pthread_create(&w, 0, g, 0);" } else { "" };
        let joined = match random.u8(..8) {
            // Who is not joined may be in its section when somebody looks.
            0 => "pthread_join(t, 0);",
            1 => "",
            _ if many == 0 => "pthread_join(t, 0); pthread_join(u, 0); pthread_join(w, 0);",
            _ => "pthread_join(t, 0); pthread_join(u, 0);",
        };
        let initialized = if random.bool() { "pthread_mutex_init(&m, 0); pthread_mutex_init(&n, 0);" } else { "" };
        // What is checked at the end is checked by main, or by a handler of the end.
        let (at_end, by_main) = match random.u8(..6) {
            0 => ("atexit(at_end);", ""),
            _ => ("", "at_end();"),
        };
        text += &format!(
            "void at_end(void) {{ __VERIFIER_assert({checked} != {wanted}); }}\n\
             int main(void) {{ unsigned long t, u, w; int l = 1, old; {initialized} {at_end} pthread_create(&t, 0, f, 0); \
             pthread_create(&u, 0, g, 0); {third} {mine} {joined} {by_main} return 0; }}\n"
        );
        let program = normalized(text.clone());
        let property = Property::new([ErrorKind::Assertion]);
        let options = ExploreOptions { max_states: 60_000, ..ExploreOptions::default() };
        let found = explore(&Code::looking_for(&program, &property), &options);
        let others = found.failures.iter().any(|(failure, _)| !property.looks_for(failure.kind));
        if !found.complete || others {
            continue;
        }
        let (fails, states) = by_states(&program);
        assert_eq!(fails, !found.failures.is_empty(), "seed {seed}:\n{text}");
        if fails {
            failing += 1;
        } else {
            holding += 1;
            saved += usize::from(states * 2 < found.states);
        }
    }
    report(&format!("{failing} programs with sections fail, {holding} hold, {saved} of them with half of the states"));
    assert!(failing > 50 && holding > 50 && saved > 20, "too few of a kind");
}
