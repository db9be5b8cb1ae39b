//! Proofs by invariants, judged by the interpreter: whatever fails in some interleaving is not excluded. Small programs, so
//! that many are proved, with all that the engine follows: locks, flags, sections, waits, loops, calls, pointers, arrays,
//! and threads that exist once or any number of times.
//!
//! `INVARIANT_SEEDS=1000..3000` runs other seeds; the program of a single one is printed.

use crate::bounded::{budget, in_parallel};
use crate::support::report;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use unthread::analysis::race::Suspects;
use unthread::budget::Budget;
use unthread::il::DataModel;
use unthread::il::interpret::{Code, ExploreOptions, FailureKind, explore};
use unthread::isolate::Normalized;
use unthread::property::{ErrorKind, Property};
use unthread::solve::invariant::certificate::{Certificate, Refused};
use unthread::solve::invariant::{Invariants, not_excluded};
use unthread::solve::{Answer, Engine, Question, Scope};

const PROGRAMS: u64 = 500;
/// For each question.
const TIME: Duration = Duration::from_millis(500);
/// Programs with more states are not judged.
const MAX_STATES: usize = 60_000;

const HEADER: &str = "typedef unsigned long pthread_t;
typedef union { char size[40]; long align; } pthread_mutex_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);
void reach_error(void);
struct pair { char low; int high; unsigned bit : 1; };
int x, y;
unsigned char u = 1;
int flag;
int a[3];
struct pair s;
int *p = &x;
pthread_mutex_t m, n;
void take(int *lock) { __VERIFIER_atomic_begin(); __VERIFIER_assume(*lock == 0); *lock = 1; __VERIFIER_atomic_end(); }
void give(int *lock) { __VERIFIER_atomic_begin(); __VERIFIER_assume(*lock == 1); *lock = 0; __VERIFIER_atomic_end(); }
void add(int *to, int what) { *to = *to + what; }
int cas(int *at, int old, int new) {
    int done = 0;
    __VERIFIER_atomic_begin();
    if (*at == old) { *at = new; done = 1; }
    __VERIFIER_atomic_end();
    return done;
}
";

struct Maker {
    random: fastrand::Rng,
    text: String,
    depth: u32,
    /// The shared variables of this program: few, so that something is left to be known.
    places: Vec<&'static str>,
}

impl Maker {
    fn any(&mut self, list: &[&'static str]) -> &'static str {
        list[self.random.usize(0..list.len())]
    }

    fn place(&mut self) -> &'static str {
        match self.random.usize(..self.places.len() + 2) {
            0 => "l",
            1 => "k",
            index => self.places[index - 2],
        }
    }

    fn number(&mut self) -> &'static str {
        self.any(&["0", "1", "1", "2", "3", "-1", "255"])
    }

    fn value(&mut self) -> String {
        let (place, number) = (self.place(), self.number());
        match self.random.u8(..8) {
            0 => format!("{place} + {number}"),
            1 => format!("{place} - 1"),
            2 => format!("{place} % 2"),
            3 => format!("({place} == {number} ? {} : {number})", self.place()),
            4 => format!("{place} & 3"),
            5 => number.to_owned(),
            _ => place.to_owned(),
        }
    }

    fn condition(&mut self) -> String {
        let (left, right) = (self.place(), self.value());
        format!("{left} {} {right}", self.any(&["==", "!=", "<", "<=", ">", ">="]))
    }

    /// Something that fails if it is not always true; each in a line of its own.
    fn claim(&mut self) {
        let condition = self.condition();
        let _ = match self.random.u8(..3) {
            0 => writeln!(self.text, "if (!({condition}))\nreach_error();"),
            _ => writeln!(self.text, "__VERIFIER_assert({condition});"),
        };
    }

    fn block(&mut self, before: &str, after: &str) {
        self.text += before;
        self.text.push('\n');
        self.depth += 1;
        for _ in 0..self.random.u8(1..3) {
            self.statement();
        }
        self.depth -= 1;
        self.text += after;
        self.text.push('\n');
    }

    fn statement(&mut self) {
        let kind = if self.depth > 2 { self.random.u8(..9) } else { self.random.u8(..24) };
        match kind {
            0..=4 => {
                let (place, value) = (self.place(), self.value());
                let _ = writeln!(self.text, "{place} = {value};");
            }
            5 => {
                let (place, number) = (self.any(&["&x", "&flag", "&a[0]", "p", "&l", "&s.high"]), self.number());
                let _ = writeln!(self.text, "add({place}, {number});");
            }
            6 => {
                let (old, new) = (self.value(), self.value());
                let place = self.any(&["&x", "&flag", "p"]);
                let _ = writeln!(self.text, "k = cas({place}, {old}, {new});");
            }
            7 | 8 => self.claim(),
            9..=12 => self.block("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"),
            13 => self.block("pthread_mutex_lock(&n);", "pthread_mutex_unlock(&n);"),
            14 => self.block("if (pthread_mutex_trylock(&m) == 0) {", "pthread_mutex_unlock(&m); }"),
            15..=16 => self.block("take(&flag);", "give(&flag);"),
            17 => self.block("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"),
            18 => {
                let condition = self.condition();
                self.block(&format!("if ({condition}) {{"), "}");
            }
            19 => {
                let condition = self.condition();
                self.block(&format!("if ({condition}) {{"), "} else { l = 1; }");
            }
            20 => {
                let condition = self.condition();
                self.block(&format!("for (k = 0; k < 2 && {condition}; k++) {{"), "}");
            }
            21 => {
                let condition = self.condition();
                let _ = writeln!(self.text, "__VERIFIER_assume({condition});");
            }
            22 => self.block("{ int inner = l; int *q = &inner; *q = *q + 1; l = inner;", "}"),
            _ => self.block("if (__VERIFIER_nondet_bool()) {", "}"),
        }
    }
}

fn program(seed: u64) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    let all = ["x", "y", "u", "flag", "a[1]", "a[l & 1]", "s.high", "s.low", "s.bit", "*p"];
    let places = random.choose_multiple(all, 2);
    let mut maker = Maker { random, text: HEADER.to_owned(), depth: 0, places };
    let kinds = maker.random.usize(1..3);
    for kind in 0..kinds {
        let _ = writeln!(maker.text, "void *t{kind}(void *arg) {{\nint l = 0, k = 0;");
        for _ in 0..maker.random.u8(1..3) {
            maker.statement();
        }
        if maker.random.bool() {
            maker.claim();
        }
        maker.text += "return 0;\n}\n";
    }
    maker.text += "int main(void) {\nint l = 0, k = 0;\npthread_t id[4];\n";
    if maker.random.bool() {
        maker.statement();
    }
    let mut created = Vec::new();
    for kind in 0..kinds {
        match maker.random.u8(..4) {
            // Any number, of which the judge sees two.
            0 => {
                let _ = writeln!(maker.text, "for (int i = 0; i < 2; i++) pthread_create(&id[3], 0, t{kind}, 0);");
            }
            1 => {
                let _ = writeln!(
                    maker.text,
                    "pthread_create(&id[{kind}], 0, t{kind}, 0);\npthread_create(&id[2], 0, t{kind}, 0);"
                );
                created.push(kind);
            }
            _ => {
                let _ = writeln!(maker.text, "pthread_create(&id[{kind}], 0, t{kind}, 0);");
                created.push(kind);
            }
        }
    }
    if maker.random.bool() {
        maker.statement();
    }
    for kind in created {
        if maker.random.u8(..3) > 0 {
            let _ = writeln!(maker.text, "pthread_join(id[{kind}], 0);");
        }
    }
    maker.claim();
    maker.text + "return 0;\n}\n"
}

fn read(text: String) -> Normalized {
    let read = unthread::read("random.c", text, DataModel::Lp64);
    unthread::normalize(read.unwrap_or_else(|error| panic!("{}", error.diagnostic.render(Some(&error.source)))).program)
}

fn soon() -> Budget {
    Budget { until: Instant::now() + TIME, ..budget() }
}

fn looked_for(seed: u64) -> Property {
    use ErrorKind::{Assertion, Division, Lock, Memory, Overflow, Thread};
    let kinds = [Assertion, Lock, Thread, Memory, Division];
    Property::new(kinds.into_iter().chain(seed.is_multiple_of(3).then_some(Overflow)))
}

#[derive(Default)]
struct Counts {
    proved: u64,
    some_excluded: u64,
    refused: u64,
    too_large: u64,
    out_of_time: u64,
    damaged: u64,
}

fn compare(seed: u64, text: String, counts: &Mutex<Counts>) -> Result<(), String> {
    let program = read(text);
    let property = looked_for(seed);
    let code = Code::looking_for(&program, &property);
    let options = ExploreOptions { max_states: MAX_STATES, creation_begins: true, ..ExploreOptions::default() };
    let found = explore(&code, &options);
    let counts = |change: fn(&mut Counts)| change(&mut counts.lock().expect("not poisoned"));
    if !found.complete {
        counts(|counts| counts.too_large += 1);
        return Ok(());
    }
    // Sections under a lock are one step in two programs of three, as they are for proofs.
    let possible = match not_excluded(
        &program,
        &property,
        &soon(),
        [!seed.is_multiple_of(3), seed.is_multiple_of(2), seed.is_multiple_of(5) || seed.is_multiple_of(4)],
    ) {
        Ok(Some(possible)) => possible,
        Ok(None) => {
            counts(|counts| counts.out_of_time += 1);
            return Ok(());
        }
        Err(_) => {
            counts(|counts| counts.refused += 1);
            return Ok(());
        }
    };
    // Where it goes beyond what is followed, nothing is said of what comes after it.
    if possible.iter().any(|(_, kind)| *kind == FailureKind::Unsupported) {
        counts(|counts| counts.refused += 1);
        return Ok(());
    }
    let line = |span| program.source.location(span).line;
    let told: BTreeSet<u32> = possible.iter().map(|(span, _)| line(*span)).collect();
    for (failure, _) in found.failures.iter().filter(|(failure, _)| property.looks_for(failure.kind)) {
        if !told.contains(&line(failure.span)) {
            let (kind, at) = (failure.kind.name(), line(failure.span));
            return Err(format!("excluded, but it happens: {kind} in line {at}; left are {told:?}"));
        }
    }
    if !possible.is_empty() {
        counts(|counts| counts.some_excluded += 1);
        return Ok(());
    }
    counts(|counts| counts.proved += 1);
    let (suspects, scope) = (&Suspects::All, Scope::Whole);
    let mut engine = Invariants::default();
    let answer =
        engine.ask(&Question { program: &program, property: &property, suspects, scope, budget: soon() }, &mut |_| {});
    match (answer, engine.certificate) {
        (Ok(Answer::NoBug), Some(certificate)) => {
            if damaged_is_refused(seed, certificate, &program)? {
                counts(|counts| counts.damaged += 1);
            }
            Ok(())
        }
        (Ok(Answer::NotYet(_) | Answer::GivenUp(_)), _) => Ok(()),
        (answer, _) => Err(format!("the proof is not shown: {answer:?}")),
    }
}

/// A certificate that says the opposite of one of its facts is refused. False if there is no fact.
fn damaged_is_refused(seed: u64, mut certificate: Certificate, program: &Normalized) -> Result<bool, String> {
    let mut random = fastrand::Rng::with_seed(seed);
    let places = certificate.locations.iter_mut().filter(|place| place.reached && !place.facts.is_empty());
    let mut places: Vec<_> = places.collect();
    if places.is_empty() {
        return Ok(false);
    }
    let place = random.usize(0..places.len());
    let fact = random.usize(0..places[place].facts.len());
    let text = places[place].facts[fact].text.clone();
    places[place].facts[fact].fact.negate();
    match certificate.check(program, &soon()) {
        Ok(Err(Refused::Wrong(_))) => Ok(true),
        Ok(Err(Refused::GaveUp(_))) => Ok(false),
        Ok(Ok(())) => Err(format!("the opposite of `{text}` is taken for an invariant too")),
        Err(diagnostic) => Err(diagnostic.message),
    }
}

#[test]
fn what_invariants_exclude_does_not_happen() {
    let range = match std::env::var("INVARIANT_SEEDS") {
        Ok(text) => {
            let parsed = text.split_once("..").and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
            parsed.unwrap_or_else(|| panic!("INVARIANT_SEEDS should be like 1..100, not {text}"))
        }
        Err(_) => Range { start: 0, end: PROGRAMS },
    };
    let count = range.end - range.start;
    let counts = Mutex::new(Counts::default());
    in_parallel(range, |seed| {
        let text = program(seed);
        if count == 1 {
            report(&text);
        }
        compare(seed, text, &counts)
    });
    let Counts { proved, some_excluded, refused, too_large, out_of_time, damaged } =
        counts.into_inner().expect("not poisoned");
    report(&format!(
        "{count} random programs: {proved} proved by invariants ({damaged} damaged certificates refused), \
         {some_excluded} not, {refused} refused, {too_large} too large to judge, {out_of_time} out of time"
    ));
    if count >= PROGRAMS {
        // How many, depends on the machine; some must be, or the comparison is worth nothing.
        assert!(proved * 50 > count, "only {proved} of {count} are proved");
        assert!((some_excluded + proved) * 10 > count, "only {some_excluded} and {proved} of {count} are decided");
        assert!(damaged > 0, "no certificate was damaged");
    }
}

/// Two programs that differ in one line, the second of which fails with enough threads.
struct Pair {
    name: &'static str,
    text: &'static str,
    line: &'static str,
    broken: &'static str,
}

const DECLARATIONS: &str = "typedef unsigned long pthread_t;
typedef union { char size[40]; long align; } pthread_mutex_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int __VERIFIER_nondet_int(void);
";

const PAIRS: &[Pair] = &[
    Pair {
        name: "a lock protects a counter",
        text: "pthread_mutex_t m; unsigned x;
            void *t(void *z) { pthread_mutex_lock(&m); unsigned l = x; x = l + 1; __VERIFIER_assert(x == l + 1);
            pthread_mutex_unlock(&m); return 0; }
            int main(void) { pthread_t h; for (;;) pthread_create(&h, 0, t, 0); }",
        line: "pthread_mutex_lock(&m); unsigned",
        broken: "unsigned",
    },
    Pair {
        name: "whoever took the flag gives it back",
        text: "int busy, x = 1;
            void *t(void *z) {
            __VERIFIER_atomic_begin(); __VERIFIER_assume(busy == 0); busy = 1; __VERIFIER_atomic_end();
            x = 0; x = 1; __VERIFIER_assert(x == 1);
            __VERIFIER_atomic_begin(); __VERIFIER_assume(busy == 1); busy = 0; __VERIFIER_atomic_end(); return 0; }
            int main(void) { pthread_t h; for (;;) pthread_create(&h, 0, t, 0); }",
        line: "__VERIFIER_atomic_begin(); __VERIFIER_assume(busy == 0)",
        broken: "__VERIFIER_assume(busy == 0); __VERIFIER_atomic_begin()",
    },
    Pair {
        name: "what is written before a thread waits for good is seen",
        text: "int x;
            void *t(void *z) { int l = 1; x = 0; __VERIFIER_assume(l == 0); return 0; }
            int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); __VERIFIER_assert(x == 0); return 0; }",
        line: "x = 0; __VERIFIER_assume",
        broken: "x = 1; __VERIFIER_assume",
    },
    Pair {
        name: "a join orders",
        text: "int x;
            void *t(void *z) { x = 1; return 0; }
            int main(void) { pthread_t h; pthread_create(&h, 0, t, 0);
            pthread_join(h, 0); __VERIFIER_assert(x == 1); return 0; }",
        line: "pthread_join(h, 0); __VERIFIER",
        broken: "__VERIFIER",
    },
    Pair {
        name: "a thread that a loop creates again is not alone",
        text: "int x;
            void *t(void *z) { x = x + 1; __VERIFIER_assert(x >= 1); x = 0; return 0; }
            int main(void) { pthread_t h;
            for (int i = 0; i < 1; i++) { pthread_create(&h, 0, t, 0); if (1) break; } return 0; }",
        line: "if (1) break;",
        broken: "pthread_create(&h, 0, t, 0);",
    },
    Pair {
        name: "the state inside of a section is not seen",
        text: "int x, y;
            void *t(void *z) { for (;;) {
            __VERIFIER_atomic_begin(); x = 1 - x; y = 1 - y; __VERIFIER_atomic_end();
            __VERIFIER_atomic_begin(); int a = x, b = y; __VERIFIER_atomic_end(); __VERIFIER_assert(a == b); } }
            int main(void) { pthread_t h; for (;;) pthread_create(&h, 0, t, 0); }",
        line: "x = 1 - x; y",
        broken: "x = 1 - x; __VERIFIER_atomic_end(); __VERIFIER_atomic_begin(); y",
    },
    Pair {
        name: "a variable of an inner block is gone after it",
        text: "void *t(void *z) { int *p, l = 0; { int inner = 3; p = &inner; l = *p; } __VERIFIER_assert(l == 3);
            return 0; }
            int main(void) { pthread_t h; for (;;) pthread_create(&h, 0, t, 0); }",
        line: "__VERIFIER_assert(l == 3);",
        broken: "__VERIFIER_assert(*p == 3);",
    },
    Pair {
        name: "what main does before the first thread is there disturbs nobody",
        text: "int x;
            void *t(void *z) { x = 4; __VERIFIER_assert(x == 4); return 0; }
            int main(void) { pthread_t h; x = __VERIFIER_nondet_int();
            for (;;) pthread_create(&h, 0, t, 0); }",
        line: "for (;;) pthread_create(&h, 0, t, 0);",
        broken: "for (;;) { pthread_create(&h, 0, t, 0); x = 3; }",
    },
    Pair {
        name: "an index stays in its array",
        text: "int a[4];
            void *t(void *z) { int i = __VERIFIER_nondet_int(); if (i >= 0 && i < 4) a[i] = 1; return 0; }
            int main(void) { pthread_t h; for (;;) pthread_create(&h, 0, t, 0); }",
        line: "i < 4",
        broken: "i <= 4",
    },
    Pair {
        name: "an unsigned counter that may wrap is not always larger",
        text: "unsigned x;
            void *t(void *z) { for (;;) { unsigned l = x; if (l == 4294967295u) return 0; int done = 0;
            __VERIFIER_atomic_begin(); if (x == l) { x = l + 1; done = 1; } __VERIFIER_atomic_end();
            if (done) { __VERIFIER_assert(x > l); return 0; } } }
            int main(void) { pthread_t h; for (;;) pthread_create(&h, 0, t, 0); }",
        line: "if (l == 4294967295u) return 0;",
        broken: "",
    },
    Pair {
        name: "who waits for good has created a thread before",
        text: "pthread_mutex_t m; int x;
            void *t(void *z) { __VERIFIER_assert(x == 0); return 0; }
            int main(void) { pthread_t h; pthread_create(&h, 0, t, 0);
            pthread_mutex_lock(&m); pthread_mutex_lock(&m); x = 1; return 0; }",
        line: "x == 0",
        broken: "x == 1",
    },
    Pair {
        name: "a section that nobody else enters may wait for good after a write",
        text: "pthread_mutex_t m; int x, y;
            void *t(void *z) { x = 1; pthread_mutex_lock(&m); __VERIFIER_assume(y == 5); x = 0; pthread_mutex_unlock(&m);
            return 0; }
            void *u(void *z) { __VERIFIER_assert(x <= 1); return 0; }
            int main(void) { pthread_t h, i; pthread_create(&h, 0, t, 0); pthread_create(&i, 0, u, 0); return 0; }",
        line: "x <= 1",
        broken: "x < 1",
    },
    Pair {
        name: "all who write have the lock",
        text: "pthread_mutex_t m, n; int x;
            void *t(void *z) { pthread_mutex_lock(&m); x = x + 1; __VERIFIER_assert(x == 1); x = x - 1;
            pthread_mutex_unlock(&m); return 0; }
            void *u(void *z) { pthread_mutex_lock(&m); x = x + 1; x = x - 1; pthread_mutex_unlock(&m); return 0; }
            int main(void) { pthread_t h; for (;;) { pthread_create(&h, 0, t, 0); pthread_create(&h, 0, u, 0); } }",
        line: "void *u(void *z) { pthread_mutex_lock(&m); x = x + 1; x = x - 1; pthread_mutex_unlock(&m); return 0; }",
        broken: "void *u(void *z) { pthread_mutex_lock(&n); x = x + 1; x = x - 1; pthread_mutex_unlock(&n); return 0; }",
    },
    Pair {
        name: "between two sections others have theirs",
        text: "pthread_mutex_t m; int x;
            void *t(void *z) { pthread_mutex_lock(&m); x = 1; __VERIFIER_assert(x == 1); x = 0;
            pthread_mutex_unlock(&m); return 0; }
            int main(void) { pthread_t h; for (;;) pthread_create(&h, 0, t, 0); }",
        line: "x = 1; __VERIFIER_assert(x == 1); x = 0;",
        broken: "x = 1; pthread_mutex_unlock(&m); pthread_mutex_lock(&m); __VERIFIER_assert(x == 1); x = 0;",
    },
    Pair {
        name: "every thread is joined once",
        text: "void *t(void *z) { return 0; }
            int main(void) { pthread_t h[100]; for (int i = 0; i < 100; i++) pthread_create(&h[i], 0, t, 0);
            for (int i = 0; i < 100; i++) pthread_join(h[i], 0); return 0; }",
        line: "for (int i = 0; i < 100; i++) pthread_join(h[i], 0);",
        broken: "for (int i = 0; i < 100; i++) pthread_join(h[i % 99], 0);",
    },
    Pair {
        name: "an index stays in a large array",
        text: "int a[4000];
            void *t(void *z) { int i = __VERIFIER_nondet_int(); if (i >= 0 && i < 4000) a[i] = 1; return 0; }
            int main(void) { pthread_t h; for (;;) pthread_create(&h, 0, t, 0); }",
        line: "i < 4000",
        broken: "i <= 4000",
    },
    Pair {
        name: "what an array holds is looked at if it matters",
        text: "int a[40];
            void *t(void *z) { a[1] = 1; return 0; }
            int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); __VERIFIER_assert(a[2] == 0); return 0; }",
        line: "a[2] == 0",
        broken: "a[1] == 0",
    },
    Pair {
        name: "two tickets are never both served",
        text: "unsigned next, serving; int x;
            unsigned draw(void) { __VERIFIER_atomic_begin(); __VERIFIER_assume(next < 1000); unsigned l = next; next = l + 1;
            __VERIFIER_atomic_end(); return l; }
            void *t(void *z) { unsigned mine = draw(); while (serving != mine) ;
            x = x + 1; __VERIFIER_assert(x == 1); x = x - 1; serving = serving + 1; return 0; }
            int main(void) { pthread_t h; for (;;) pthread_create(&h, 0, t, 0); }",
        line: "__VERIFIER_atomic_begin(); __VERIFIER_assume(next < 1000); unsigned l = next; next = l + 1;",
        broken: "unsigned l = next; __VERIFIER_atomic_begin(); __VERIFIER_assume(next < 1000); next = l + 1;",
    },
    Pair {
        name: "what two ways brought is told apart after they met",
        text: "int x, y;
            void *t(void *z) { int l; if (__VERIFIER_nondet_int()) { l = 1; } else { l = 2; }
            __VERIFIER_assert(l < 3); x = l; return 0; }
            int main(void) { pthread_t h; for (;;) pthread_create(&h, 0, t, 0); }",
        line: "l < 3",
        broken: "l < 2",
    },
];

fn excluded(text: &str) -> Result<bool, String> {
    let program = read(format!("{DECLARATIONS}{text}"));
    let property = looked_for(1);
    let budget = Budget { until: Instant::now() + Duration::from_secs(60), ..budget() };
    let (suspects, scope) = (&Suspects::All, Scope::Whole);
    let question = Question { program: &program, property: &property, suspects, scope, budget };
    match Invariants::default().ask(&question, &mut |_| {}) {
        Ok(Answer::NoBug) => Ok(true),
        Ok(Answer::GivenUp(_)) => Ok(false),
        other => Err(format!("{other:?}")),
    }
}

#[test]
fn one_line_makes_the_difference() {
    for Pair { name, text, line, broken } in PAIRS {
        assert!(text.contains(line), "{name}: the line to break is there");
        assert_eq!(excluded(text), Ok(true), "{name}: it should be proved");
        assert_eq!(excluded(&text.replace(line, broken)), Ok(false), "{name}: the broken one fails");
    }
}

/// What a certificate says of two threads is checked: that a pair is never there, and what differs.
#[test]
fn damaged_pairs_are_refused() {
    let pair = PAIRS.iter().find(|pair| pair.name.contains("two tickets")).expect("it is there");
    let program = read(format!("{DECLARATIONS}{}", pair.text));
    let property = looked_for(1);
    let budget = Budget { until: Instant::now() + Duration::from_secs(60), ..budget() };
    let (suspects, scope) = (&Suspects::All, Scope::Whole);
    let mut engine = Invariants::default();
    let question = Question { program: &program, property: &property, suspects, scope, budget };
    assert!(matches!(engine.ask(&question, &mut |_| {}), Ok(Answer::NoBug)));
    let proof = engine.certificate.expect("it is a proof by invariants");
    let refused =
        |certificate: &Certificate| matches!(certificate.check(&program, &budget), Ok(Err(Refused::Wrong(_))));
    assert!(!refused(&proof));
    let pairs = proof.pairs.as_ref().expect("two threads were looked at");
    let known: Vec<usize> = (0..pairs.len()).filter(|index| pairs[*index].reached).collect();
    assert!(!known.is_empty(), "nothing is known to differ");
    for index in known {
        let mut damaged = proof.clone();
        damaged.pairs.as_mut().expect("they are there")[index].reached = false;
        assert!(refused(&damaged), "pair {index} is said never to be there");
    }
    assert!(refused(&Certificate { pairs: Some(Vec::new()), ..proof.clone() }), "nothing is said of pairs");
    let mut damaged = proof.clone();
    damaged.pairs.as_mut().expect("they are there")[0].second = proof.locations.len();
    assert!(refused(&damaged), "a place that there is not");
    assert!(refused(&Certificate { pairs: None, ..proof }), "pairs are not looked at");
}
