//! Small random threaded programs: the program, its normalized text read back, and random walks agree with the full
//! enumeration. Every failure names its seed.

use unthread::il::DataModel;
use unthread::il::interpret::{
    Code, Exploration, ExploreOptions, FailureKind, Machine, Outcome, RandomChooser, explore, random_walk,
};
use unthread::il::print::{PrintOptions, print};
use unthread::isolate::Normalized;

const PROGRAMS: u64 = 150;

const HEAD: &str = "
int pthread_create(unsigned long *, void *, void *(*)(void *), void *);
int pthread_join(unsigned long, void **);
typedef union { char size[40]; long align; } pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assert(int);
void *malloc(unsigned long);
struct node { int value; struct node *next; };
int x, y, a[3];
struct node n, *p = &n;
pthread_mutex_t m;
";

fn statement(random: &mut fastrand::Rng, depth: u32) -> String {
    let variable = *random.choice(&["x", "y", "a[x & 1]", "p->value", "n.value", "a[2]"]).expect("not empty");
    let value = match random.u8(..6) {
        0 => random.u8(..3).to_string(),
        1 => "x + y".to_owned(),
        2 => format!("{variable} + 1"),
        3 => "(x && y) + a[y & 1]".to_owned(),
        4 => "x > 1 ? y : p->value".to_owned(),
        _ => "l".to_owned(),
    };
    match random.u8(..if depth == 0 { 5 } else { 8 }) {
        0..=2 => format!("{variable} = {value};"),
        3 => format!("{variable}++;"),
        4 => format!("l = {value};"),
        5 => format!("if ({variable} == 1) {{ {} }}", statement(random, depth - 1)),
        6 => format!("pthread_mutex_lock(&m); {} pthread_mutex_unlock(&m);", statement(random, depth - 1)),
        _ => format!("__VERIFIER_atomic_begin(); {} __VERIFIER_atomic_end();", statement(random, depth - 1)),
    }
}

fn program(seed: u64) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut text = HEAD.to_owned();
    for thread in ["f", "g"] {
        let body: Vec<String> = (0..random.u8(1..4)).map(|_| statement(&mut random, 1)).collect();
        text += &format!("void *{thread}(void *q) {{ int l = 0; {} return 0; }}\n", body.join(" "));
    }
    let bound = random.u8(1..4);
    text += &format!(
        "int main(void) {{ unsigned long s, t; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, g, 0);
           pthread_join(s, 0); pthread_join(t, 0); __VERIFIER_assert(x + y < {bound}); return 0; }}"
    );
    text
}

/// A statement that may also loop, wait, allocate, return early, or take an input.
fn richer_statement(random: &mut fastrand::Rng, depth: u32) -> String {
    if depth == 0 || random.u8(..3) == 0 {
        return statement(random, depth);
    }
    let inner = richer_statement(random, depth - 1);
    match random.u8(..14) {
        0 => format!("for (int i = 0; i < 2; i++) {{ {inner} }}"),
        1 => format!("for (int i = 0; i < 2; i++) {{ if (y == i) continue; if (x == 2) break; {inner} }}"),
        2 => "if (x == 1) return (void *)1;".to_owned(),
        3 => format!("l = __VERIFIER_nondet_bool(); if (l) {{ {inner} }} else y = l;"),
        4 => format!("if (x > 0) goto out; {inner}"),
        5 => "pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&c, &m); x++; pthread_mutex_unlock(&m);"
            .to_owned(),
        6 => "pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);".to_owned(),
        7 => format!(
            "{{ struct node *fresh = malloc(sizeof *fresh); fresh->value = y; fresh->next = 0; p = fresh; {inner} }}"
        ),
        8 => "l = add(x, l); y = add(l, 1);".to_owned(),
        9 => "if (pthread_mutex_trylock(&m) == 0) { y++; pthread_mutex_unlock(&m); }".to_owned(),
        10 => "__VERIFIER_assume(x < 2);".to_owned(),
        11 => "q = &x; *q = *q + 1; q = &n.value; y = *q;".to_owned(),
        12 => "switch (y) { case 0: x = 1; break; case 1: x++; default: y = 0; }".to_owned(),
        _ => "__sync_fetch_and_add(&x, 1);".to_owned(),
    }
}

/// Two or three threads, with what the schemas have to cope with.
pub fn threaded_program(seed: u64) -> String {
    let mut random = fastrand::Rng::with_seed(seed ^ 0xb0d5);
    let mut text = HEAD.to_owned();
    text += "typedef union { char size[48]; long long align; } pthread_cond_t;
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_signal(pthread_cond_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assume(int);
pthread_cond_t c;
int ready;
static int add(int v, int w) { if (v > 1) return 1; return v + w; }
";
    let threads: &[&str] = if random.u8(..4) == 0 { &["f", "g", "h"] } else { &["f", "g"] };
    for thread in threads {
        let count = if threads.len() == 3 { 1..3 } else { 1..4 };
        let body: Vec<String> = (0..random.u8(count)).map(|_| richer_statement(&mut random, 2)).collect();
        text += &format!("void *{thread}(void *arg) {{ int l = 0; int *q = &y; {} out: return 0; }}\n", body.join(" "));
    }
    let bound = random.u8(1..4);
    text += "int main(void) { unsigned long s, t, u; int result; ";
    if random.bool() {
        text += "y = 1; ";
    }
    // The same start function twice, now and then.
    let second = if random.u8(..4) == 0 { "f" } else { "g" };
    text += &format!("pthread_create(&s, 0, f, 0); pthread_create(&t, 0, {second}, 0); ");
    if threads.len() == 3 {
        text += "pthread_create(&u, 0, h, 0); ";
    }
    let check = format!("__VERIFIER_assert(x + y < {bound});");
    text += &match random.u8(..3) {
        0 => format!("{check} pthread_join(s, 0); pthread_join(t, 0); return 0; }}"),
        _ => format!("pthread_join(s, 0); pthread_join(t, 0); {check} return 0; }}"),
    };
    text
}

pub fn normalized(name: &str, text: String) -> Normalized {
    let read = unthread::read(name, text, DataModel::Lp64)
        .unwrap_or_else(|error| panic!("{name}: {}", error.diagnostic.render(Some(&error.source))));
    unthread::normalize(read.program)
}

fn all(program: &Normalized) -> Exploration {
    explore(&Code::new(program), &ExploreOptions::default())
}

pub fn kinds(found: &Exploration) -> Vec<FailureKind> {
    let mut kinds: Vec<FailureKind> = found.failures.iter().map(|(failure, _)| failure.kind).collect();
    kinds.sort();
    kinds.dedup();
    kinds
}

#[test]
fn reading_back_and_random_walks_agree_with_the_enumeration() {
    let mut with_failure = 0;
    for seed in 0..PROGRAMS {
        let original = normalized(&format!("seed {seed}"), program(seed));
        let found = all(&original);
        assert!(found.complete, "seed {seed}");
        let again = normalized(
            &format!("seed {seed}, read back"),
            print(&original, PrintOptions { accesses: true, ..PrintOptions::default() }),
        );
        let found_again = all(&again);
        assert_eq!(found.executions, found_again.executions, "seed {seed}");
        assert_eq!(found.states, found_again.states, "seed {seed}");
        assert_eq!(kinds(&found), kinds(&found_again), "seed {seed}");
        with_failure += u64::from(!found.failures.is_empty());
        walks(&original, &found, seed);
    }
    // Both kinds of programs must occur, or the comparison is worth nothing.
    assert!(with_failure > PROGRAMS / 10 && with_failure < PROGRAMS * 9 / 10, "{with_failure} of {PROGRAMS} fail");
}

fn walks(program: &Normalized, found: &Exploration, seed: u64) {
    let code = Code::new(program);
    let kinds = kinds(found);
    for walk in 0..30 {
        let mut machine = Machine::new(&code);
        let mut chooser = RandomChooser { random: fastrand::Rng::with_seed(walk) };
        let mut scheduler = fastrand::Rng::with_seed(walk + 1000);
        match random_walk(&mut machine, &mut scheduler, &mut chooser, &mut |_| {}) {
            Outcome::Exited(0) => {}
            Outcome::Failed(failure) => assert!(kinds.contains(&failure.kind), "seed {seed}: {failure:?}"),
            other => panic!("seed {seed}: {other:?}"),
        }
    }
}
