//! TSO and PSO: litmus tests as published, random programs, and this machine itself.
//!
//! The interpreter executes store buffers as they are, formulas and emitted programs have them as variables of the bounded
//! threads (`limit/buffers`): the two have only the table of `analysis/drains.rs` in common.
//!
//! `MEMORY_MODEL_SEEDS=1000..3000` runs other random programs.

use crate::bounded::{budget, in_parallel, search_options};
use crate::support::{compile, installed, report, run_limited, scratch, skipped, text, unthread};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;
use std::process::Command;
use unthread::check::{CheckOptions, EngineChoice, check};
use unthread::il::DataModel;
use unthread::il::interpret::{Code, ExploreOptions, explore};
use unthread::isolate::Normalized;
use unthread::property::{ErrorKind, MemoryModel, Property};
use unthread::sequentialize::Schema;
use unthread::verdict::Verdict;

const MODELS: [MemoryModel; 3] = [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso];

/// Threads in a short form, and what they must not see under the models where that is forbidden. `x=1` is a relaxed store,
/// `a=x` a relaxed load into a register, `x=rel 1`, `x=sc 1`, `a=acq x` have orders, `x+` is a relaxed addition, `mf` a
/// fence with seq_cst, `rf` one with release, `af` with acquire.
struct Litmus {
    name: &'static str,
    threads: &'static [&'static str],
    outcome: &'static str,
    /// Under SC, TSO, PSO.
    allowed: [bool; 3],
}

const fn litmus(
    name: &'static str,
    threads: &'static [&'static str],
    outcome: &'static str,
    allowed: [bool; 3],
) -> Litmus {
    Litmus { name, threads, outcome, allowed }
}

const NEVER: [bool; 3] = [false, false, false];
const TSO: [bool; 3] = [false, true, true];
const PSO: [bool; 3] = [false, false, true];

/// From the tables of the x86-TSO papers (Owens, Sarkar, Sewell), of the SPARC manual, and of the litmus tests of Alglave,
/// Maranget and Tautschnig.
const LITMUS: &[Litmus] = &[
    litmus("sb", &["x=1; a=y", "y=1; b=x"], "a == 0 && b == 0", TSO),
    litmus("sb_fences", &["x=1; mf; a=y", "y=1; mf; b=x"], "a == 0 && b == 0", NEVER),
    litmus("sb_one_fence", &["x=1; mf; a=y", "y=1; b=x"], "a == 0 && b == 0", TSO),
    litmus("sb_release_acquire", &["x=rel 1; a=acq y", "y=rel 1; b=acq x"], "a == 0 && b == 0", TSO),
    litmus("sb_seq_cst", &["x=sc 1; a=y", "y=sc 1; b=x"], "a == 0 && b == 0", NEVER),
    litmus("sb_acquire_fences", &["x=1; af; a=y", "y=1; af; b=x"], "a == 0 && b == 0", TSO),
    litmus("sb_release_fences", &["x=1; rf; a=y", "y=1; rf; b=x"], "a == 0 && b == 0", TSO),
    litmus("sb_exchanges", &["x+; a=y", "y+; b=x"], "a == 0 && b == 0", NEVER),
    litmus("sb_other_exchange", &["x=1; z+; a=y", "y=1; z+; b=x"], "a == 0 && b == 0", NEVER),
    litmus("mp", &["x=1; y=1", "a=y; b=x"], "a == 1 && b == 0", PSO),
    litmus("mp_release", &["x=1; y=rel 1", "a=acq y; b=x"], "a == 1 && b == 0", NEVER),
    litmus("mp_release_fence", &["x=1; rf; y=1", "a=y; b=x"], "a == 1 && b == 0", NEVER),
    litmus("mp_release_first", &["x=rel 1; y=1", "a=y; b=x"], "a == 1 && b == 0", PSO),
    litmus("mp_release_between", &["x=1; z=rel 1; y=1", "a=y; b=x"], "a == 1 && b == 0", NEVER),
    litmus("mp_fence", &["x=1; mf; y=1", "a=y; b=x"], "a == 1 && b == 0", NEVER),
    litmus("lb", &["a=y; x=1", "b=x; y=1"], "a == 1 && b == 1", NEVER),
    litmus("iriw", &["x=1", "y=1", "a=x; b=y", "c=y; d=x"], "a == 1 && b == 0 && c == 1 && d == 0", NEVER),
    litmus(
        "iriw_seq_cst",
        &["x=sc 1", "y=sc 1", "a=x; b=y", "c=y; d=x"],
        "a == 1 && b == 0 && c == 1 && d == 0",
        NEVER,
    ),
    litmus("wrc", &["x=1", "a=x; y=1", "b=y; c=x"], "a == 1 && b == 1 && c == 0", NEVER),
    litmus("isa2", &["x=1; y=1", "a=y; z=1", "b=z; c=x"], "a == 1 && b == 1 && c == 0", PSO),
    litmus("rwc", &["x=1", "a=x; b=y", "y=1; c=x"], "a == 1 && b == 0 && c == 0", TSO),
    litmus("rwc_fence", &["x=1", "a=x; b=y", "y=1; mf; c=x"], "a == 1 && b == 0 && c == 0", NEVER),
    litmus("2+2w", &["x=1; y=2", "y=1; x=2"], "x == 1 && y == 1", PSO),
    litmus("2+2w_release", &["x=1; y=rel 2", "y=1; x=rel 2"], "x == 1 && y == 1", NEVER),
    litmus("r", &["x=1; y=1", "y=2; a=x"], "y == 2 && a == 0", TSO),
    litmus("r_fences", &["x=1; mf; y=1", "y=2; mf; a=x"], "y == 2 && a == 0", NEVER),
    litmus("s", &["x=2; y=1", "a=y; x=1"], "a == 1 && x == 2", PSO),
    litmus("corr", &["x=1", "a=x; b=x"], "a == 1 && b == 0", NEVER),
    litmus("coww", &["x=1; x=2"], "x == 1", NEVER),
    litmus("corw", &["a=x; x=1"], "a == 1", NEVER),
    litmus("cowr", &["x=1; a=x", "x=2"], "a == 0", NEVER),
    litmus("rmw", &["x+", "x+"], "x == 1", NEVER),
    litmus("forwarding", &["x=1; a=x; b=y", "y=1; c=y; d=x"], "a == 1 && b == 0 && c == 1 && d == 0", TSO),
    litmus("n5", &["x=1; a=x", "x=2; b=x"], "a == 2 && b == 1", NEVER),
    litmus("n6", &["x=1; a=x; b=y", "y=1; x=2"], "a == 1 && b == 0 && x == 1", TSO),
    litmus("n4b", &["a=x; x=1", "b=x; x=2"], "a == 2 && b == 1", NEVER),
];

/// A statement of the short form as C.
fn in_c(short: &str) -> String {
    let fence = |order: &str| format!("atomic_thread_fence(memory_order_{order});");
    match short {
        "mf" => return fence("seq_cst"),
        "rf" => return fence("release"),
        "af" => return fence("acquire"),
        _ => {}
    }
    if let Some(variable) = short.strip_suffix('+') {
        return format!("atomic_fetch_add_explicit(&{variable}, 1, memory_order_relaxed);");
    }
    let (to, value) = short.split_once('=').expect("an assignment");
    let (order, value) = value.split_once(' ').unwrap_or(("relaxed", value));
    let order = match order {
        "rel" => "release",
        "acq" => "acquire",
        "sc" => "seq_cst",
        other => other,
    };
    if value.parse::<u32>().is_ok() {
        format!("atomic_store_explicit(&{to}, {value}, memory_order_{order});")
    } else {
        format!("{to} = atomic_load_explicit(&{value}, memory_order_{order});")
    }
}

fn source(litmus: &Litmus) -> String {
    let mut text = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
                    atomic_int x, y, z;\nint a, b, c, d;\n"
        .to_owned();
    for (thread, body) in litmus.threads.iter().enumerate() {
        let body: Vec<String> = body.split("; ").map(in_c).collect();
        writeln!(text, "void *t{thread}(void *arg) {{ {} return 0; }}", body.join(" ")).expect("a string");
    }
    let count = litmus.threads.len();
    let each = |what: &dyn Fn(usize) -> String| (0..count).map(what).collect::<String>();
    let (creates, joins) = (
        each(&|t| format!("    pthread_create(&h[{t}], 0, t{t}, 0);\n")),
        each(&|t| format!("    pthread_join(h[{t}], 0);\n")),
    );
    write!(
        text,
        "int main(void) {{\n    pthread_t h[{count}];\n{creates}{joins}    assert(!({}));\n    return 0;\n}}\n",
        litmus.outcome
    )
    .expect("a string");
    text
}

fn option(model: MemoryModel) -> &'static str {
    match model {
        MemoryModel::Sc | MemoryModel::AsWritten => "sc",
        MemoryModel::Tso => "tso",
        MemoryModel::Pso => "pso",
    }
}

#[test]
fn litmus_tests_are_allowed_as_published() {
    let folder = scratch("litmus");
    in_parallel(0..LITMUS.len() as u64, |index| {
        let litmus = &LITMUS[index as usize];
        let file = folder.join(format!("{}.c", litmus.name));
        std::fs::write(&file, source(litmus)).map_err(|error| error.to_string())?;
        for (model, allowed) in MODELS.into_iter().zip(litmus.allowed) {
            let says = |args: &[&str]| -> Result<String, String> {
                let mut command = unthread();
                command.args(args).args(["--memory-model", option(model)]).arg(&file);
                let output = run_limited(&mut command, 120).ok_or("it hangs")?;
                Ok(text(&output.stdout).lines().last().unwrap_or_default().to_owned() + &text(&output.stderr))
            };
            let right = |answer: &str| answer.contains("assertion failed") == allowed;
            let enumerated = says(&["run", "--all"])?;
            if !right(&enumerated) {
                return Err(format!("{} under {model:?}: enumerated: {enumerated}", litmus.name));
            }
            let usual = ["check", "--no-replay", "--errors", "assertion", "--jobs", "1"];
            let by_formulas = [&usual[..], &["--unwind", "1", "--rounds", "4"]].concat();
            let by_lazy = [&by_formulas[..], &["--schema", "lazy"]].concat();
            let by_lr = [&by_formulas[..], &["--schema", "lr"]].concat();
            for road in [&usual[..], &by_formulas, &by_lazy, &by_lr] {
                let answer = says(road)?;
                let expected: &[&str] = match allowed {
                    true => &["Verdict: bug"],
                    // Without bounds the states prove it.
                    false if road.len() == usual.len() => &["Verdict: proved"],
                    false => &["Verdict: no-bug", "Verdict: proved"],
                };
                if !expected.iter().any(|verdict| answer.starts_with(verdict)) {
                    return Err(format!("{} under {model:?}: {road:?}: {answer}", litmus.name));
                }
            }
        }
        Ok(())
    });
}

/// The emitted programs have the buffers in them, so that a verifier that knows nothing of memory models decides them.
#[test]
fn verifiers_answer_as_published() {
    if !installed("cbmc") {
        return skipped("memory models through CBMC", "cbmc is not installed");
    }
    let folder = scratch("litmus_cbmc");
    let some: Vec<&Litmus> = LITMUS
        .iter()
        .filter(|litmus| ["sb", "sb_fences", "mp", "mp_release", "2+2w", "n6"].contains(&litmus.name))
        .collect();
    in_parallel(0..some.len() as u64, |index| {
        let litmus = some[index as usize];
        let file = folder.join(format!("{}.c", litmus.name));
        std::fs::write(&file, source(litmus)).map_err(|error| error.to_string())?;
        for (model, allowed) in MODELS.into_iter().zip(litmus.allowed) {
            let mut command = unthread();
            command.args(["check", "--backend", "cbmc", "--no-replay", "--errors", "assertion", "--unwind", "1"]);
            command.args(["--rounds", "4", "--memory-model", option(model)]).arg(&file);
            let output = run_limited(&mut command, 120).ok_or("it hangs")?;
            let told = text(&output.stdout);
            if told.ends_with("Verdict: bug\n") != allowed || told.ends_with("Verdict: unknown\n") {
                return Err(format!("{} under {model:?}: {told}{}", litmus.name, text(&output.stderr)));
            }
        }
        Ok(())
    });
}

/// Programs in every run.
const PROGRAMS: u64 = 300;

fn seeds() -> Range<u64> {
    let Ok(range) = std::env::var("MEMORY_MODEL_SEEDS") else { return 0..PROGRAMS };
    let (from, to) = range.split_once("..").expect("a range of seeds, such as 10..20");
    from.parse().expect("a number")..to.parse().expect("a number")
}

/// A program and the lines that fail if its execution ends in a certain way: one line for every outcome.
struct Random {
    random: fastrand::Rng,
    variables: Vec<&'static str>,
    registers: Vec<String>,
    /// Plain accesses, in place of atomic ones.
    plain: bool,
    /// The variable that is used next.
    next: usize,
    /// What threads do first.
    shape: u8,
    functions: String,
}

impl Random {
    fn one(&mut self, of: &[&'static str]) -> &'static str {
        of[self.random.usize(..of.len())]
    }

    /// What others use in another order.
    fn place(&mut self) -> String {
        if self.random.u8(..10) < 6 {
            let at = self.next % self.variables.len();
            self.next += 1;
            return self.variables[at].to_owned();
        }
        match self.random.u8(..10) {
            0 => "q[1]".to_owned(),
            1 => "q[0]".to_owned(),
            2 => match self.registers.last() {
                Some(register) => format!("q[{register} & 1]"),
                None => "node->value".to_owned(),
            },
            3 => "node->value".to_owned(),
            4 => "node->next".to_owned(),
            5 => "(*pointer)".to_owned(),
            6 => "(*local)".to_owned(),
            _ => {
                let at = self.random.usize(..self.variables.len());
                self.variables[at].to_owned()
            }
        }
    }

    fn store(&mut self) -> String {
        let (place, value) = (self.place(), self.random.u8(1..3));
        let store = if self.plain && self.random.bool() {
            let order = self.one(&["RELAXED", "RELAXED", "RELEASE", "SEQ_CST"]);
            format!("__atomic_store_n(&{place}, {value}, __ATOMIC_{order});")
        } else if self.plain {
            format!("{place} = {value};")
        } else {
            let order = self.one(&["relaxed", "relaxed", "relaxed", "release", "seq_cst"]);
            format!("atomic_store_explicit(&{place}, {value}, memory_order_{order});")
        };
        match (self.random.u8(..6), self.registers.last()) {
            (0, Some(register)) => format!("if ({register}) {{ {store} }}"),
            (1, _) => format!("for (int i = 0; i < 2; i++) {{ {store} }}"),
            _ => store,
        }
    }

    fn load(&mut self, thread: usize) -> String {
        let place = self.place();
        let register = format!("r{thread}{}", self.registers.len());
        self.registers.push(register.clone());
        if self.plain {
            return format!("{register} = {place};");
        }
        let order = self.one(&["relaxed", "relaxed", "acquire", "seq_cst"]);
        format!("{register} = atomic_load_explicit(&{place}, memory_order_{order});")
    }

    fn statement(&mut self, thread: usize, stores: u8) -> String {
        let kind = self.random.u8(..100);
        match kind {
            0..5 => "atomic_thread_fence(memory_order_seq_cst);".to_owned(),
            5..9 => {
                let order = self.one(&["release", "acquire", "acq_rel"]);
                format!("atomic_thread_fence(memory_order_{order});")
            }
            9..12 if !self.plain => format!("atomic_fetch_add(&{}, 1);", self.place()),
            9..14 => {
                let place = self.place();
                format!("pthread_mutex_lock(&m); {place} = {place} + 1; pthread_mutex_unlock(&m);")
            }
            14..16 => format!("__VERIFIER_atomic_begin(); {} __VERIFIER_atomic_end();", self.store()),
            16..18 => format!("assert({} != 2);", self.place()),
            _ if self.random.u8(..100) < stores => self.store(),
            _ => self.load(thread),
        }
    }

    fn thread(&mut self, thread: usize, length: usize) {
        // Stores then loads, stores here and loads there, or anything.
        let shape = self.shape;
        self.next = thread;
        let mut body = String::new();
        for at in 0..length {
            let stores = match shape {
                0 => 90 - 80 * u8::from(2 * at >= length),
                1 => 90 - 80 * u8::from(thread % 2 == 1),
                _ => 50,
            };
            body += &self.statement(thread, stores);
            body.push(' ');
        }
        writeln!(self.functions, "void *t{thread}(void *arg) {{ {body}return 0; }}").expect("a string");
    }
}

fn random_program(seed: u64) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    let threads = if random.u8(..3) == 0 { 3 } else { 2 };
    let variables = if random.bool() { vec!["x", "y"] } else { vec!["x", "y", "z"] };
    let plain = random.u8(..4) == 0;
    let shape = random.u8(..3);
    let mut program =
        Random { random, variables, registers: Vec::new(), plain, next: 0, shape, functions: String::new() };
    for thread in 0..threads {
        let length = if threads == 2 { program.random.usize(2..5) } else { program.random.usize(1..4) };
        program.thread(thread, length);
    }
    let ty = if plain { "int" } else { "atomic_int" };
    let mut text = format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n\
         void __VERIFIER_atomic_begin(void);\nvoid __VERIFIER_atomic_end(void);\n\
         {ty} x, y, z, q[2];\nstruct node {{ {ty} value, next; }} *node;\n{ty} *pointer = &x, *local;\n\
         pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
    );
    let registers = program.registers.clone();
    registers.iter().for_each(|register| writeln!(text, "int {register};").expect("a string"));
    text += &program.functions;
    writeln!(text, "int main(void) {{\n    pthread_t h[3];\n    {ty} of_main = 0;\n    local = &of_main;")
        .expect("a string");
    text += "    node = malloc(sizeof *node);\n    node->value = 0;\n    node->next = 0;\n";
    (0..threads).for_each(|t| writeln!(text, "    pthread_create(&h[{t}], 0, t{t}, 0);").expect("a string"));
    (0..threads).for_each(|t| writeln!(text, "    pthread_join(h[{t}], 0);").expect("a string"));
    let mut looked = registers;
    program.random.shuffle(&mut looked);
    looked.truncate(3);
    while looked.len() < 3 {
        looked.push(["x", "y", "q[1]"][looked.len()].to_owned());
    }
    let [a, b, c] = &looked[..] else { unreachable!("three") };
    for outcome in 0..27 {
        let (first, second, third) = (outcome % 3, outcome / 3 % 3, outcome / 9);
        writeln!(text, "    if ({a} == {first} && {b} == {second} && {c} == {third}) assert(0);").expect("a string");
    }
    text + "    return 0;\n}\n"
}

fn read(seed: u64, model: MemoryModel) -> Result<Normalized, String> {
    let file = scratch("memory_models").join(format!("{seed}.c"));
    std::fs::write(&file, random_program(seed)).map_err(|error| error.to_string())?;
    let output = Command::new("cc").arg("-E").arg(&file).output().map_err(|error| error.to_string())?;
    let read = unthread::read(&format!("seed {seed}"), text(&output.stdout), DataModel::Lp64);
    let read = read.map_err(|error| error.diagnostic.render(Some(&error.source)))?;
    Ok(unthread::normalize(read.program).under(model))
}

/// The lines of failed assertions, by all executions; `None` if there are too many.
fn enumerate(program: &Normalized) -> Option<BTreeSet<u32>> {
    let options = ExploreOptions { creation_begins: true, max_states: 60_000, ..ExploreOptions::default() };
    let property = Property::new([ErrorKind::Assertion]);
    let found = explore(&Code::looking_for(program, &property), &options);
    let line = |span| program.source.location(span).line;
    found.complete.then(|| found.failures.iter().map(|(failure, _)| line(failure.span)).collect())
}

/// The same by formulas or emitted programs within bounds that hold all of them.
fn by(program: &Normalized, model: MemoryModel, engine: EngineChoice) -> Result<Option<BTreeSet<u32>>, String> {
    let property = Property::new([ErrorKind::Assertion]);
    let keep_going = !engine.emits();
    let options = CheckOptions {
        keep_going,
        unwind: Some(2),
        rounds: Some(7),
        memory_model: model,
        budget: budget(),
        ..search_options(engine, &property)
    };
    let report = check(program, &options, &mut |_| {}).map_err(|fault| fault.message)?;
    if options.budget.out_of_time().is_some() {
        return Ok(None);
    }
    match report.verdict {
        Verdict::Bug => {
            let traces = report.bugs.iter().filter_map(|bug| bug.trace.as_ref());
            Ok(Some(traces.map(|trace| trace.failure.place.line).collect()))
        }
        Verdict::NoBug | Verdict::Proved => Ok(Some(BTreeSet::new())),
        Verdict::Unknown => Err(format!("unknown: {:?}", report.reason)),
    }
}

#[test]
fn random_programs_end_in_the_same_ways_by_all_roads() {
    let decided = std::sync::atomic::AtomicU64::new(0);
    let more = std::sync::atomic::AtomicU64::new(0);
    let count = |counter: &std::sync::atomic::AtomicU64, by: usize| {
        counter.fetch_add(by as u64, std::sync::atomic::Ordering::Relaxed);
    };
    in_parallel(seeds(), |seed| {
        let mut weaker: Option<BTreeSet<u32>> = None;
        for model in MODELS {
            let program = read(seed, model)?;
            let Some(all) = enumerate(&program) else { return Ok(()) };
            if let Some(strong) = &weaker {
                if !strong.is_subset(&all) {
                    return Err(format!("under {model:?} there is less than under a stronger model"));
                }
                count(&more, usize::from(strong.len() < all.len()));
            }
            if let Some(found) = by(&program, model, EngineChoice::Embedded)? {
                count(&decided, 1);
                if found != all {
                    return Err(format!("{model:?}: formulas find {found:?}, all executions {all:?}"));
                }
            }
            if seed % 10 == 0 {
                for schema in [Schema::Lazy, Schema::Lr] {
                    let found = by(&program, model, EngineChoice::Sequential(schema))?;
                    if let Some(found) = found
                        && (found.is_empty() != all.is_empty() || !found.is_subset(&all))
                    {
                        return Err(format!("{model:?}: {} finds {found:?}, all executions {all:?}", schema.name()));
                    }
                }
            }
            weaker = Some(all);
        }
        Ok(())
    });
    let (decided, more) = (decided.into_inner(), more.into_inner());
    report(&format!(
        "{decided} times formulas found what all executions show; {more} times a weaker model allows more"
    ));
    let programs = seeds().count() as u64;
    if programs >= PROGRAMS {
        assert!(decided > programs && more > programs / 30, "the programs are of little use");
    }
}

/// Outcomes on a real machine, of programs whose stores and loads are single instructions there.
#[test]
fn what_this_machine_does_is_allowed_under_tso() {
    if !cfg!(target_arch = "x86_64") {
        skipped("programs on this machine", "it is no x86 machine");
        return;
    }
    let folder = scratch("native_litmus");
    let mut seen = 0;
    for litmus in LITMUS.iter().filter(|litmus| litmus.threads.len() == 2) {
        // One after the other the threads begin together, a hundred thousand times.
        let mut text = source(litmus).replace("int main(void)", "static int once(void)");
        text = text.replace("#include <assert.h>", "#include <assert.h>\n#include <stdio.h>");
        let start = text.find("    pthread_t h[").expect("the beginning of main");
        text.truncate(start);
        write!(
            text,
            "    return 0;\n}}\n#define TIMES 100000\nstatic atomic_int round0, round1;\n\
             static void *other(void *arg) {{\n    for (int i = 1; i <= TIMES; i++) {{\n\
             \x20       while (atomic_load(&round0) != i) {{}}\n        t1(0);\n        atomic_store(&round1, i);\n    }}\n\
             \x20   return 0;\n}}\n\
             int main(void) {{\n    pthread_t h;\n    long count = 0;\n    pthread_create(&h, 0, other, 0);\n\
             \x20   for (int i = 1; i <= TIMES; i++) {{\n        x = 0; y = 0; z = 0; a = b = c = d = 0;\n\
             \x20       atomic_store(&round0, i);\n        t0(0);\n        while (atomic_load(&round1) != i) {{}}\n\
             \x20       count += {};\n    }}\n    pthread_join(h, 0);\n    printf(\"%ld\\n\", count);\n    once();\n    return 0;\n}}\n",
            litmus.outcome
        )
        .expect("a string");
        let (file, program) = (folder.join(format!("{}.c", litmus.name)), folder.join(litmus.name));
        std::fs::write(&file, text).expect("it can be written");
        compile(&[&file], &["-O1", "-pthread", "-w"], &program).expect("it compiles");
        let Some(output) = run_limited(&mut Command::new(&program), 30) else {
            skipped(litmus.name, "this machine takes too long");
            continue;
        };
        let count: u64 = crate::support::text(&output.stdout).trim().parse().expect("a number");
        assert!(count == 0 || litmus.allowed[1], "{}: seen {count} times, and forbidden", litmus.name);
        seen += u64::from(count > 0);
    }
    report(&format!("{seen} outcomes that sequential consistency forbids were seen on this machine"));
}
